import type { ReadLiabilitiesAnswer } from "@ironlease/client";
import type { Verified } from "@ironlease/statement";
import { useQuery } from "@tanstack/react-query";
import { Fact } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { IdText } from "#ui/id-text.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { verifyShare } from "./verify-share.ts";

/** The latest signed total of all balances, and the proof that the customer's own is part of it. */
export function LiabilitiesPanel({ canVerify }: { readonly canVerify: boolean }) {
  const latest = useQuery(reads.latestLiabilities);
  // Nothing is shown before the service has signed a total.
  if (latest.data === null) return null;
  return (
    <Panel
      title="What the service owes"
      description="Each day the service signs the sum of all customers’ balances, held money included. The check proves that your balance is part of it. It does not prove that the service has the money."
    >
      <Loaded query={latest} isPadded={false}>
        {(liabilities) =>
          liabilities !== null && (
            <div className="flex flex-col gap-5">
              {canVerify && <Share liabilities={liabilities} />}
              <Totals liabilities={liabilities} />
            </div>
          )
        }
      </Loaded>
    </Panel>
  );
}

function Share({ liabilities }: { readonly liabilities: ReadLiabilitiesAnswer }) {
  const verified = useQuery({
    queryKey: ["verifiedShare", liabilities.date],
    queryFn: () => verifyShare(liabilities),
    staleTime: Infinity,
    enabled: liabilities.proof !== null,
  });
  if (liabilities.proof === null) {
    return (
      <Notice title="Your account is not part of this total yet">
        <p>It was opened after the balances were read. The next total includes it.</p>
      </Notice>
    );
  }
  return (
    <Loaded query={verified} isPadded={false} loading={<Skeleton className="h-20 w-full" />}>
      {(result) => <ShareResult result={result} />}
    </Loaded>
  );
}

function ShareResult({ result }: { readonly result: Verified<string> }) {
  return result.ok ? (
    <Notice tone="good" title="Your balance is part of the total">
      <p>
        Verified in this browser for your account{" "}
        <code className="font-mono break-all">{result.value}</code>.
      </p>
    </Notice>
  ) : (
    <Notice tone="bad" title="The proof does not verify">
      <p>{result.problem}</p>
      <p>
        Save it with <code className="font-mono">GET /api/v1/liabilities</code> as evidence, and{" "}
        <TextLink to={accountRoutes.newMessage}>ask the provider</TextLink>.
      </p>
    </Notice>
  );
}

function Totals({ liabilities }: { readonly liabilities: ReadLiabilitiesAnswer }) {
  const { totalCents, proof, head, rootHash } = liabilities;
  return (
    <dl className="grid grid-cols-2 gap-x-6 gap-y-4 md:grid-cols-3">
      <Fact name="Owed to all customers">
        <Money usd={totalCents / 100} />
      </Fact>
      {proof !== null && (
        <Fact name="Owed to you">
          <Money usd={proof.balanceCents / 100} />
        </Fact>
      )}
      <Fact name="Balances of">
        <Time at={head.at} />
      </Fact>
      <Fact name="Root (the same for all customers)" isWide>
        <IdText id={rootHash} what="root" />
      </Fact>
    </dl>
  );
}
