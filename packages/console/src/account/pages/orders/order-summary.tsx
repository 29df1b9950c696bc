import type { ReadCatalogueAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { ArrowRight } from "#ui/icons.ts";
import { Money } from "#ui/money.tsx";
import { moneyText, sumUsd } from "#ui/money-text.ts";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { useBalance } from "#account/data/use-balance.ts";
import { chosenFrom, termWords, type Chosen, type OrderChoice } from "./order-choice.ts";
import { PriceBar } from "./price-bar.tsx";
import { QuoteSummary } from "./quote-summary.tsx";

/** The current choice with the service's quote: beside the choices, or below them with a bar that stays in view. */
export function OrderSummary({
  catalogue,
  choice,
}: {
  readonly catalogue: ReadCatalogueAnswer;
  readonly choice: OrderChoice;
}) {
  const chosen = chosenFrom(catalogue, choice);
  if (chosen === undefined) {
    return (
      <>
        <Panel title="Your order" className="max-2xl:hidden 2xl:sticky 2xl:top-10">
          <p className="text-sm text-quiet">Choose a configuration to see the price.</p>
        </Panel>
        <PriceBar what="Choose a configuration to see the price" />
      </>
    );
  }
  return <QuotedChoice choice={choice} chosen={chosen} />;
}

function QuotedChoice({
  choice,
  chosen,
}: {
  readonly choice: OrderChoice;
  readonly chosen: Chosen;
}) {
  const { configuration, offer, regionName, osName } = chosen;
  const { term, quantity } = choice;
  const quote = useQuery(
    reads.quote({
      configId: configuration.id,
      regionId: offer.regionId,
      osId: choice.os ?? "",
      term,
      quantity,
    }),
  );
  const balanceUsd = useBalance();
  const what = `${quantity} × ${configuration.name}`;
  return (
    <>
      <Panel title="Your order" className="2xl:sticky 2xl:top-10">
        <div className="flex flex-col gap-5">
          <p className="flex flex-col text-sm">
            <span className="font-medium">{what}</span>
            <span className="text-quiet">
              {regionName}, {osName}
            </span>
            <span className="text-quiet">{termWords[term].days}, starting at delivery</span>
          </p>
          <Loaded query={quote} isPadded={false} loading={<Skeleton className="h-24 w-full" />}>
            {(data) => (
              <>
                <QuoteSummary quote={data} choice={choice} isStale={quote.isPlaceholderData} />
                {!data.available && (
                  <Notice tone="warn" isAnnounced>
                    <p>
                      Not enough machines available in {regionName}. Choose fewer, or another
                      region.
                    </p>
                  </Notice>
                )}
                {balanceUsd !== undefined && (
                  <Balance balanceUsd={balanceUsd} totalUsd={data.totalUsd} />
                )}
                {data.available && (
                  <div className="flex flex-col max-2xl:hidden">
                    <ReviewLink choice={choice} />
                  </div>
                )}
              </>
            )}
          </Loaded>
        </div>
      </Panel>
      <PriceBar
        what={`${what}, ${termWords[term].days}`}
        totalUsd={quote.data?.totalUsd}
        isStale={quote.isPlaceholderData}
        action={quote.data?.available === true && <ReviewLink choice={choice} />}
      />
    </>
  );
}

function ReviewLink({ choice }: { readonly choice: OrderChoice }) {
  return (
    <LinkButton
      variant="primary"
      to={accountRoutes.reviewOrder}
      search={{ ...choice }}
      icon={<ArrowRight aria-hidden className="size-4" />}
    >
      Review order
    </LinkButton>
  );
}

export function Balance({
  balanceUsd,
  totalUsd,
}: {
  readonly balanceUsd: number;
  readonly totalUsd: number;
}) {
  const left = sumUsd([balanceUsd, -totalUsd]);
  if (left >= 0) {
    return (
      <p className="text-sm text-quiet">
        Balance after this order: <Money usd={left} />
      </p>
    );
  }
  return (
    <Notice tone="warn">
      <p>
        You need {moneyText(-left)} more.{" "}
        <TextLink to={accountRoutes.deposit} search={{ usd: (-left).toFixed(2) }}>
          Deposit
        </TextLink>
      </p>
    </Notice>
  );
}
