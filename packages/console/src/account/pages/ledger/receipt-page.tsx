import type { LedgerEntry } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Brand } from "#ui/brand.tsx";
import { Button } from "#ui/button.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Printer } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded } from "#ui/states.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { ledgerTypes } from "#account/shared/ledger-types.ts";
import { Missing } from "#account/shared/missing.tsx";

/** One ledger entry as a document to print or to save as PDF. */
export function ReceiptPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const entry = useQuery(reads.ledgerEntry(id));
  return (
    <div className="max-w-3xl">
      <Page
        title="Receipt"
        windowTitle={`Receipt ${id}`}
        crumbs={[{ to: accountRoutes.billing, label: "Billing" }]}
        actions={
          <Button
            icon={<Printer aria-hidden className="size-4" />}
            disabled={entry.data === undefined}
            onClick={() => window.print()}
          >
            Print
          </Button>
        }
      >
        <Loaded
          query={entry}
          isPadded={false}
          missing={<Missing what="Receipt" list={accountRoutes.billing} linkText="View billing" />}
        >
          {(data) => <Receipt entry={data} />}
        </Loaded>
      </Page>
    </div>
  );
}

function Receipt({ entry }: { readonly entry: LedgerEntry }) {
  const { data: account } = useQuery(reads.account);
  const { id, createdAt, type, amountUsd, balanceAfterUsd, description, reference, hash } = entry;
  const isOwnReference = reference.id === id;
  return (
    <Panel className="print-sheet">
      <article className="flex flex-col gap-8 sm:p-2">
        <header className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
          <Brand />
          <div className="flex flex-col sm:items-end">
            <h2 className="text-xl font-semibold tracking-tight">{titles[type]}</h2>
            <span className="text-sm text-quiet">{timeText(createdAt)}</span>
          </div>
        </header>
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-2 border-y border-line py-5">
          <div className="flex min-w-0 flex-1 basis-64 flex-col gap-0.5">
            <span className="text-sm text-quiet">{ledgerTypes[type]}</span>
            <span className="font-medium wrap-anywhere">{description}</span>
          </div>
          {amountUsd !== 0 && (
            <Money usd={Math.abs(amountUsd)} className="text-2xl font-semibold tracking-tight" />
          )}
        </div>
        <dl className="grid gap-x-6 gap-y-3 text-sm sm:grid-cols-[11rem_minmax(0,1fr)]">
          <Line name="Account">{account?.username}</Line>
          <Line name={amountUsd > 0 ? "Added to balance" : "Taken from balance"}>
            <Money usd={Math.abs(amountUsd)} />
            {type === "WITHDRAWAL_PAID" &&
              ": the amount left your balance when you requested the withdrawal"}
          </Line>
          <Line name="Balance after">
            <Money usd={balanceAfterUsd} />
          </Line>
          {!isOwnReference && (
            <Line name={sentenceCase(reference.kind)}>
              <IdText id={reference.id} what={`${reference.kind} id`} {...linkTo(reference)} />
            </Line>
          )}
          <Line name="Ledger entry">
            <IdText id={id} what="ledger entry id" />
          </Line>
          {hash !== null && (
            <Line name="Hash (SHA-256)">
              <IdText id={hash} what="hash" />
            </Line>
          )}
        </dl>
        <p className="max-w-prose text-xs text-quiet">
          {type.endsWith("_CHARGE") && "Paid from a prepaid balance in USD. "}The hash is part of a
          chain that the service signs: a statement of this period proves that the entry was not
          changed.
        </p>
      </article>
    </Panel>
  );
}

function Line({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  return (
    <div className="grid gap-x-6 sm:col-span-2 sm:grid-cols-subgrid">
      <dt className="text-quiet">{name}</dt>
      <dd className="min-w-0 font-medium">{children}</dd>
    </div>
  );
}

const titles: Readonly<Record<LedgerEntry["type"], string>> = {
  DEPOSIT: "Deposit receipt",
  ORDER_CHARGE: "Receipt",
  RENEWAL_CHARGE: "Receipt",
  DDOS_CHARGE: "Receipt",
  WITHDRAWAL_HOLD: "Withdrawal request",
  WITHDRAWAL_RELEASE: "Withdrawal returned",
  WITHDRAWAL_PAID: "Withdrawal receipt",
  REFUND: "Refund receipt",
  ADJUSTMENT: "Adjustment",
};

const time = new Intl.DateTimeFormat("en-GB", {
  dateStyle: "long",
  timeStyle: "medium",
  timeZone: "UTC",
});

/** A document says the same in every time zone. */
function timeText(at: string): string {
  return `${time.format(new Date(at))} UTC`;
}

function linkTo({ kind, id }: LedgerEntry["reference"]): { readonly to?: string } {
  return kind === "server" ? { to: accountRoutes.server.replace("$id", id) } : {};
}
