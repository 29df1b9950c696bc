import type { Proposal, SetRateRequest } from "@ironlease/client/operator";
import { useChange } from "#data/use-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { priceText } from "#ui/money-text.ts";
import { Time } from "#ui/time.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { changeText } from "./change-text.ts";

/** The second operator's request for the same rate, which sets it. */
export function ConfirmRateDialog({
  proposal: { asset, usd, validUntil, proposedBy },
  current,
  onClose,
}: {
  readonly proposal: Proposal;
  readonly current: string | null;
  readonly onClose: () => void;
}) {
  const confirm = useChange(
    (request: SetRateRequest) => client.setRate(request),
    [keys.rates, keys.settlement],
  );
  return (
    <ConfirmDialog
      isOpen
      title={`Confirm rate of ${asset}`}
      description={
        <>
          <p>
            {proposedBy} proposed {priceText(usd)} {changeText(current, usd)}, valid until{" "}
            <Time at={validUntil} />. {current !== null && `The rate now is ${priceText(current)}.`}
          </p>
          <p>Check the price yourself. Payments are credited at this rate.</p>
        </>
      }
      confirmLabel={`Confirm ${priceText(usd)}`}
      isPending={confirm.isPending}
      error={confirm.error}
      onConfirm={() =>
        confirm.mutate(
          { asset, usd, validUntil },
          {
            onSuccess: () => {
              toast(`Rate of ${asset} set`);
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
