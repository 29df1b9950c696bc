import type { ReadPayoutAnswer as Payout } from "@ironlease/client/operator";
import { client } from "#desk/data/client.ts";
import { ReasonDialog } from "#desk/shared/reason-dialog.tsx";
import { usePayoutStep } from "./use-payout-step.ts";

export function CancelDialog({
  payout: { id, state },
  onClose,
}: {
  readonly payout: Payout;
  readonly onClose: () => void;
}) {
  const cancel = usePayoutStep(client.cancelPayout);
  return (
    <ReasonDialog
      title="Cancel this payout?"
      description={
        state === "SIGNED"
          ? "Nothing was sent from here. Destroy the signed transaction too: anyone who has it can still send it."
          : "Its coins are free and its withdrawals open again. Do not send it if it was already signed."
      }
      confirmLabel="Cancel payout"
      hint="Recorded in the audit log"
      isDangerous
      isPending={cancel.isPending}
      error={cancel.error}
      onConfirm={(reason) => cancel.mutate({ id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
