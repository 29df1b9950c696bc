import type { AcceptQuoteRequest, ReadServerAnswer, SetDdosModeRequest } from "@ironlease/client";
import { useState } from "react";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { moneyText, sumUsd } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { Time, useNow } from "#ui/time.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { restOfTermUsd, termText } from "#account/shared/renewal-price.ts";
import { allowedIn } from "./allowed-actions.ts";

type Quote = NonNullable<ReadServerAnswer["ddos"]["quote"]>;

interface QuoteProps {
  readonly server: ReadServerAnswer;
  readonly quote: Quote;
}

const everyMs = 60_000;

/** The operator's offer for ADVANCED, with what it costs now and later. */
export function QuotePanel({ server, quote }: QuoteProps) {
  const isAccepted = !server.ddos.quoteRequired;
  const now = useNow(everyMs);
  return (
    <Panel
      title="Quote for Advanced protection"
      description={
        isAccepted
          ? "You accepted this quote. An operator will apply it."
          : "Nothing is charged until you accept and an operator applies it."
      }
    >
      <div className="flex flex-col gap-5">
        <Facts>
          <Fact name="Price">
            {moneyText(quote.usd)} per {termText[server.term]}
          </Fact>
          <Fact name="Charged when applied">{chargeText(server, quote, now)}</Fact>
          <Fact name="Each renewal from then on">
            {moneyText(sumUsd([server.priceUsd, quote.usd]))}
          </Fact>
          {!isAccepted && (
            <Fact name="Valid until">
              <Time at={quote.expiresAt} />
            </Fact>
          )}
        </Facts>
        {!isAccepted && <Answers server={server} quote={quote} />}
      </div>
    </Panel>
  );
}

/** An estimate, because the share depends on when the operator applies it. */
function chargeText(server: ReadServerAnswer, { usd }: Quote, now: number): string {
  if (server.paidThrough === null) return `${moneyText(usd)}, after delivery`;
  return `About ${moneyText(restOfTermUsd(usd, server, now))}, for the rest of this term`;
}

function Answers({ server, quote }: QuoteProps) {
  const [isOpen, setIsOpen] = useState(false);
  const now = useNow(everyMs);
  const { id } = server;
  const accept = useIdempotentChange(
    `quote/${id}`,
    async (request: AcceptQuoteRequest, options) => {
      const accepted = await client.acceptQuote(request, options);
      setIsOpen(false);
      toast("Quote accepted");
      return accepted;
    },
    [reads.servers.queryKey],
  );
  const decline = useIdempotentChange(
    `ddos/${id}`,
    async (request: SetDdosModeRequest, options) => {
      const declined = await client.setDdosMode(request, options);
      toast("Quote declined");
      return declined;
    },
    [reads.servers.queryKey],
  );
  const { unanswered } = accept;
  const isBlocked = decline.unanswered !== undefined || !allowedIn.ddos.includes(server.state);
  return (
    <>
      {decline.unanswered === undefined && decline.error !== null && (
        <ErrorNotice error={decline.error} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button variant="primary" disabled={isBlocked} onClick={() => setIsOpen(true)}>
          Accept quote
        </Button>
        <Button
          isPending={decline.isPending}
          disabled={isBlocked || unanswered !== undefined}
          onClick={() => decline.mutate({ id, mode: "BASELINE" })}
        >
          Decline
        </Button>
      </div>
      <ConfirmDialog
        isOpen={isOpen}
        title="Accept this quote?"
        description={
          <p>
            Advanced protection costs {moneyText(quote.usd)} per {termText[server.term]}. Charged
            when an operator applies it: {lowerFirst(chargeText(server, quote, now))}. Every renewal
            then costs {moneyText(sumUsd([server.priceUsd, quote.usd]))}, until Baseline is active
            again.
          </p>
        }
        confirmLabel="Accept quote"
        isPending={accept.isPending}
        isBlocked={unanswered !== undefined}
        error={unanswered === undefined ? accept.error : null}
        onConfirm={() => accept.mutate({ id, usd: quote.usd })}
        onClose={() => setIsOpen(false)}
      >
        {unanswered !== undefined && (
          <UnansweredNotice
            what={`Your acceptance of ${moneyText(Number(unanswered.request.usd))}`}
            at={unanswered.at}
            isPending={accept.isPending}
            onRetry={() => accept.mutate(unanswered.request)}
            onDiscard={accept.discard}
          />
        )}
      </ConfirmDialog>
    </>
  );
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
