import type { Statement, StatementEntry } from "@ironlease/statement";
import type { ReactNode } from "react";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { IdText } from "#ui/id-text.tsx";
import { accountRoutes } from "#app/urls.ts";
import type { Progress } from "./use-verification.ts";
import type { FailedVerification, Verification, VerifiedStatement } from "./verification.ts";

const count = new Intl.NumberFormat("en-US");

/** The progress of a verification, then its result. */
export function VerificationResult({
  isPending,
  progress,
  error,
  result,
}: {
  readonly isPending: boolean;
  readonly progress: Progress | undefined;
  readonly error: Error | null;
  readonly result: Verification | undefined;
}) {
  if (isPending) return <Working progress={progress} />;
  if (error !== null) return <ErrorNotice error={error} />;
  if (result === undefined) return null;
  return result.kind === "verified" ? <Success result={result} /> : <Failure result={result} />;
}

function Working({ progress }: { readonly progress: Progress | undefined }) {
  return (
    <div role="status" className="flex flex-col gap-2 text-sm text-quiet">
      {progress === undefined || progress.checked === 0
        ? "Reading the statement"
        : `Checked ${count.format(progress.checked)} of ${count.format(progress.total)} entries`}
      <progress
        aria-label="Verification"
        max={progress?.total ?? 1}
        value={progress?.checked ?? 0}
        className="bar"
      />
    </div>
  );
}

function Success({ result }: { readonly result: VerifiedStatement }) {
  const { statement, today } = result;
  const { entries, head } = statement;
  return (
    <div className="flex flex-col gap-5">
      <Notice tone="good" isAnnounced title="Statement verified">
        <p>
          {entries.length === 0
            ? "The period has no entries. The signature is correct."
            : "Every hash, every balance and the signature are correct."}{" "}
          {today !== undefined && (
            <>
              Your ledger today still contains this history: nothing up to{" "}
              {head.count === 0 ? "then" : `entry number ${count.format(head.count)}`} was changed.
            </>
          )}
        </p>
        <History result={result} />
      </Notice>
      <StatementFacts statement={statement} />
    </div>
  );
}

function History({ result }: { readonly result: VerifiedStatement }) {
  const { unchangedSince, isRemembered } = result;
  if (unchangedSince !== undefined) {
    return (
      <p>
        No entry from before your last check in this browser, <Time at={unchangedSince} />, was
        changed since.
      </p>
    );
  }
  if (!isRemembered) return null;
  return (
    <p>
      This browser now remembers your latest entry. Your next check here shows whether anything up
      to it was changed.
    </p>
  );
}

function StatementFacts({ statement }: { readonly statement: Statement }) {
  const { entries, openingBalanceUsd, closingBalanceUsd, head, signature } = statement;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-4">
      <Fact name="Entries">{count.format(entries.length)}</Fact>
      <Fact name="Opening balance">
        <Money usd={openingBalanceUsd} />
      </Fact>
      <Fact name="Closing balance">
        <Money usd={closingBalanceUsd} />
      </Fact>
      <Fact name="Signed">
        <Time at={head.at} />
      </Fact>
      <Fact name="Signing key" isWide>
        <IdText id={signature.keyId} what="key id" />
      </Fact>
    </dl>
  );
}

const failures: Readonly<
  Record<FailedVerification["kind"], { readonly title: string; readonly advice: ReactNode }>
> = {
  file: {
    title: "This file does not verify",
    advice:
      "If a spreadsheet or an editor has saved the file again, its content has changed. Use the original download, or download the period again and compare.",
  },
  account: {
    title: "This statement belongs to another account",
    advice: "Its hashes and its signature are correct. Sign in to that account to compare it.",
  },
  ledger: {
    title: "Your ledger does not verify",
    advice: (
      <>
        Download this statement and keep it as evidence, compare it with statements that you saved
        earlier, and <TextLink to={accountRoutes.newMessage}>ask the provider</TextLink>.
      </>
    ),
  },
  rewritten: {
    title: "Your ledger was rewritten",
    advice: (
      <>
        Keep your file and download today’s statement: two signatures that contradict each other are
        evidence. Then <TextLink to={accountRoutes.newMessage}>ask the provider</TextLink>.
      </>
    ),
  },
  forgotten: {
    title: "Your ledger was rewritten",
    advice: (
      <>
        Compare with statements that you saved earlier, and{" "}
        <TextLink to={accountRoutes.newMessage}>ask the provider</TextLink>, for instance whether a
        backup was restored.
      </>
    ),
  },
};

function Failure({ result }: { readonly result: FailedVerification }) {
  const { title, advice } = failures[result.kind];
  return (
    <Notice tone={result.kind === "account" ? "warn" : "bad"} isAnnounced title={title}>
      <p>
        <Reason result={result} />
      </p>
      {result.entry !== undefined && <Entry entry={result.entry} />}
      <p>{advice}</p>
    </Notice>
  );
}

function Reason({ result: { kind, problem, entry, at } }: { readonly result: FailedVerification }) {
  const since = at === undefined ? undefined : <Time at={at} />;
  switch (kind) {
    case "account":
      return (
        <>
          The account is <code className="font-mono">{problem}</code>.
        </>
      );
    case "forgotten":
      return (
        <>An entry from before your last check in this browser, {since}, was changed or removed.</>
      );
    case "rewritten":
      return (
        <>
          The file is genuine: the service signed it on {since}. Your ledger today has a different
          history. {entry === undefined ? problem : "This entry of the file is no longer in it:"}
        </>
      );
    case "file":
    case "ledger":
      return problem;
  }
}

function Entry({ entry }: { readonly entry: StatementEntry }) {
  return (
    <p className="flex flex-wrap gap-x-4 gap-y-1 rounded-md border border-line bg-surface px-3 py-2">
      <Time at={entry.createdAt} />
      <span className="min-w-0 grow wrap-anywhere">{entry.description}</span>
      <Money usd={entry.amountUsd} isMovement />
    </p>
  );
}
