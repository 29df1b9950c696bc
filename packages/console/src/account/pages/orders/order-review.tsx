import type { ReadQuoteAnswer, ReadQuoteRequest, SshKey } from "@ironlease/client";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useDraft } from "#data/use-draft.ts";
import { Button, LinkButton } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { ArrowLeft } from "#ui/icons.ts";
import { moneyText } from "#ui/money-text.ts";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Loaded, Skeleton } from "#ui/states.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { useBalance } from "#account/data/use-balance.ts";
import { pasted, sshChoice, termWords, type Chosen, type OrderChoice } from "./order-choice.ts";
import { Balance } from "./order-summary.tsx";
import { QuoteSummary } from "./quote-summary.tsx";
import { hasNoKey, NoKeyNotice } from "./ssh-key-choice.tsx";
import { UnansweredOrder } from "./unanswered-order.tsx";
import type { usePlaceOrder } from "./use-place-order.ts";

interface Reviewed {
  readonly choice: OrderChoice;
  readonly chosen: Chosen;
}

export function OrderReview({
  order,
  choice,
  chosen,
}: Reviewed & { readonly order: ReturnType<typeof usePlaceOrder> }) {
  const offered = {
    configId: chosen.configuration.id,
    regionId: chosen.offer.regionId,
    osId: choice.os ?? "",
    term: choice.term,
    quantity: choice.quantity,
  };
  const quote = useQuery(reads.quote(offered));
  const sshKeys = useQuery(reads.sshKeys);
  const [pastedKey] = useDraft("order/ssh-key");
  const saved = sshKeys.data?.sshKeys;
  const chosenKey = sshChoice(choice.ssh, saved ?? []);
  const sshKey = keyOf(chosenKey, pastedKey, saved);
  const place = () =>
    order.mutate({
      ...offered,
      ...(sshKey === undefined ? {} : { sshPublicKey: sshKey.publicKey }),
    });
  return (
    <>
      <UnansweredOrder order={order} />
      {order.error !== null && order.unanswered === undefined && (
        <ErrorNotice error={order.error} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="flex flex-col gap-6">
          <Panel title="Order details">
            <ChosenFacts choice={choice} chosen={chosen} keyName={sshKey?.name ?? "None"} />
          </Panel>
          {sshKeys.isError && (
            <Loaded query={sshKeys} isPadded={false}>
              {() => null}
            </Loaded>
          )}
          {saved !== undefined && hasNoKey(chosenKey, pastedKey) && <NoKeyNotice />}
          <NextSteps choice={choice} />
        </div>
        <Panel title="Price">
          <Loaded query={quote} isPadded={false} loading={<Skeleton className="h-24 w-full" />}>
            {(data) => (
              <Payment
                quote={data}
                offered={offered}
                choice={choice}
                isPending={order.isPending}
                isBlocked={order.unanswered !== undefined || saved === undefined}
                onPlace={place}
              />
            )}
          </Loaded>
        </Panel>
      </div>
    </>
  );
}

function keyOf(
  ssh: string,
  pastedKey: string,
  saved: readonly SshKey[] | undefined,
): { readonly name: string; readonly publicKey: string } | undefined {
  if (ssh !== pasted) return saved?.find(({ id }) => id === ssh);
  const publicKey = pastedKey.trim();
  if (publicKey === "") return undefined;
  return { name: `Pasted: ${publicKey.slice(0, 32)}…`, publicKey };
}

function ChosenFacts({ choice, chosen, keyName }: Reviewed & { readonly keyName: string }) {
  const { configuration, regionName, osName } = chosen;
  return (
    <Facts>
      <Fact name="Configuration">
        {choice.quantity} × {configuration.name}
      </Fact>
      <Fact name="Processor">{configuration.cpu}</Fact>
      <Fact name="Memory">{configuration.memoryGb} GB</Fact>
      <Fact name="Storage">{configuration.storage}</Fact>
      <Fact name="Bandwidth">{configuration.bandwidth}</Fact>
      <Fact name="Region">{regionName}</Fact>
      <Fact name="Operating system">{osName}</Fact>
      <Fact name="Term">{termWords[choice.term].days}</Fact>
      <Fact name="SSH key">{keyName}</Fact>
    </Facts>
  );
}

function NextSteps({ choice }: { readonly choice: OrderChoice }) {
  const machines = choice.quantity === 1 ? "a machine is" : "the machines are";
  return (
    <Panel title="What happens next">
      <ol className="flex list-decimal flex-col gap-2 pl-5 text-sm">
        <li>The total is charged to your balance, and {machines} reserved for you.</li>
        <li>
          An operator prepares and delivers {choice.quantity === 1 ? "the server" : "the servers"}.
          Delivery times vary.
        </li>
        <li>The term of {termWords[choice.term].days} starts at delivery.</li>
        <li>
          Each term then renews from your balance at the same price, unless you turn off renewal on
          the server's page.
        </li>
      </ol>
    </Panel>
  );
}

/** Requests the quote again before placing the order, because the price may have changed. */
function Payment({
  quote,
  offered,
  choice,
  isPending,
  isBlocked,
  onPlace,
}: {
  readonly quote: ReadQuoteAnswer;
  readonly offered: ReadQuoteRequest;
  readonly choice: OrderChoice;
  readonly isPending: boolean;
  readonly isBlocked: boolean;
  readonly onPlace: () => void;
}) {
  const queries = useQueryClient();
  const balanceUsd = useBalance();
  const [isChecking, setIsChecking] = useState(false);
  const [hasChanged, setHasChanged] = useState(false);
  const { totalUsd, available } = quote;
  const isCovered = balanceUsd === undefined || balanceUsd >= totalUsd;
  const check = async () => {
    setIsChecking(true);
    try {
      const latest = await queries.query({ ...reads.quote(offered), staleTime: 0 });
      setHasChanged(latest.totalUsd !== totalUsd);
      if (latest.totalUsd === totalUsd) onPlace();
    } finally {
      setIsChecking(false);
    }
  };
  return (
    <div className="flex flex-col gap-5">
      <QuoteSummary quote={quote} choice={choice} isStale={false} />
      {balanceUsd !== undefined && <Balance balanceUsd={balanceUsd} totalUsd={totalUsd} />}
      {hasChanged && (
        <Notice tone="warn" isAnnounced title="The price has changed">
          <p>Nothing was ordered. Check the new price above.</p>
        </Notice>
      )}
      {!available && (
        <Notice tone="warn" isAnnounced>
          <p>Not enough machines available.</p>
        </Notice>
      )}
      <Button
        variant="primary"
        isPending={isPending || isChecking}
        disabled={isBlocked || !available || !isCovered}
        onClick={() => void check().catch(() => undefined)}
      >
        Place order for {moneyText(totalUsd)}
      </Button>
      <LinkButton
        to={accountRoutes.order}
        search={{ ...choice }}
        icon={<ArrowLeft aria-hidden className="size-4" />}
      >
        Edit order
      </LinkButton>
    </div>
  );
}
