import { amountText } from "#ui/coin-text.ts";
import type { ReadPayoutAnswer as Payout } from "@ironlease/client/operator";
import { useState, type ReactNode } from "react";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { sentenceOf } from "#ui/sentence-case.ts";
import { Time } from "#ui/time.tsx";
import { client } from "#desk/data/client.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { CancelDialog } from "./cancel-dialog.tsx";
import { SignSteps } from "./sign-steps.tsx";
import { usePayoutStep } from "./use-payout-step.ts";

/** What an operator can do with the payout now, or how it ended. */
export function NextStep({ payout }: { readonly payout: Payout }) {
  const { can } = usePermissions();
  const { state, error } = payout;
  if (state === "CONFIRMED" || state === "CANCELLED" || state === "FAILED") {
    return <Ended payout={payout} />;
  }
  if (!can("broadcastPayout")) {
    return (
      <Panel title="Your role does not allow this">
        <p className="text-sm text-quiet">Payouts need the role finance.</p>
      </Panel>
    );
  }
  const step = stepOf(payout);
  return (
    <Panel title={step.title}>
      <div className="flex flex-col gap-5">
        {error !== null && (
          <Notice tone="warn" title="The node does not accept this transaction">
            <p>{sentenceOf(error)}</p>
          </Notice>
        )}
        {step.content}
        {state !== "BROADCAST" && <Cancel payout={payout} />}
      </div>
    </Panel>
  );
}

interface Step {
  readonly title: string;
  readonly content: ReactNode;
}

function stepOf(payout: Payout): Step {
  const { state, bumpFee, bumpSigned } = payout;
  if (state === "PREPARED") return { title: "Sign", content: <SignSteps payout={payout} /> };
  if (state === "SIGNED") return { title: "Approve", content: <Approve payout={payout} /> };
  if (bumpFee === null) return { title: "Sent", content: <Sent payout={payout} /> };
  return bumpSigned
    ? { title: "Approve the higher fee", content: <Approve payout={payout} /> }
    : { title: "Sign again with a higher fee", content: <SignSteps payout={payout} /> };
}

/** The last look before coins move. */
function Approve({ payout }: { readonly payout: Payout }) {
  const broadcast = usePayoutStep(client.broadcastPayout);
  const { amount, asset, withdrawals, fee, feeAsset } = payout;
  const destinations =
    withdrawals.length === 1 ? "one destination" : `${withdrawals.length} destinations`;
  return (
    <>
      {broadcast.error !== null && <ErrorNotice error={broadcast.error} />}
      <p className="text-sm text-quiet">
        The signed transaction pays exactly what was prepared: {amountText(amount)} {asset} to{" "}
        {destinations}, and a fee of at most {payout.bumpFee ?? fee} {feeAsset}. Once it is sent, it
        cannot be taken back.
      </p>
      <div>
        <Button
          variant="primary"
          isPending={broadcast.isPending}
          onClick={() => broadcast.mutate({ id: payout.id })}
        >
          Approve and send
        </Button>
      </div>
    </>
  );
}

function Sent({ payout }: { readonly payout: Payout }) {
  const again = usePayoutStep(client.broadcastPayout);
  const bump = usePayoutStep(client.bumpPayout);
  const { id, confirmations, confirmationsRequired, format } = payout;
  return (
    <>
      {again.error !== null && <ErrorNotice error={again.error} />}
      {bump.error !== null && <ErrorNotice error={bump.error} />}
      <div className="flex flex-col gap-2">
        <p role="status" className="text-sm">
          {confirmations} of {confirmationsRequired} confirmations
        </p>
        <progress
          aria-label="Confirmations"
          max={confirmationsRequired}
          value={Math.min(confirmations, confirmationsRequired)}
          className="bar"
        />
      </div>
      {confirmations === 0 && (
        <div className="flex flex-wrap gap-2">
          <Button size="small" isPending={again.isPending} onClick={() => again.mutate({ id })}>
            Send again
          </Button>
          {format !== "monero" && (
            <Button size="small" isPending={bump.isPending} onClick={() => bump.mutate({ id })}>
              Raise the fee
            </Button>
          )}
        </div>
      )}
      <p className="text-sm text-quiet">
        Sending again sends the same bytes, so nothing is paid twice. A higher fee needs a new
        signature and spends the same coins.
      </p>
    </>
  );
}

function Cancel({ payout }: { readonly payout: Payout }) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <div className="border-t border-line pt-5">
      <Button size="small" onClick={() => setIsOpen(true)}>
        Cancel payout…
      </Button>
      {isOpen && <CancelDialog payout={payout} onClose={() => setIsOpen(false)} />}
    </div>
  );
}

const endings = {
  CONFIRMED: "Confirmed",
  CANCELLED: "Cancelled",
  FAILED: "Failed",
} as const;

function Ended({ payout: { state, endedAt, error, confirmations } }: { readonly payout: Payout }) {
  return (
    <Panel title={endings[state as keyof typeof endings]}>
      <div className="flex flex-col gap-3 text-sm">
        <p role="status">
          {state === "CONFIRMED" && `${confirmations} confirmations. `}
          {endedAt !== null && <Time at={endedAt} />}
        </p>
        {error !== null && <p className="wrap-anywhere text-quiet">{sentenceOf(error)}</p>}
        {state === "FAILED" && (
          <p>
            Check on the network what happened to the coins before you pay the customers in another
            way.
          </p>
        )}
        {state === "CANCELLED" && (
          <p className="text-quiet">Nothing was sent. The withdrawals are open again.</p>
        )}
      </div>
    </Panel>
  );
}
