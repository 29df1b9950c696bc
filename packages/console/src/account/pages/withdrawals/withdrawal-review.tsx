import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Fact } from "#ui/facts.tsx";
import { moneyText } from "#ui/money-text.ts";
import { assetLabel } from "#account/shared/assets.ts";
import type { WithdrawalDraft } from "./withdrawal-form.tsx";

/** Asks for confirmation before the amount is held. */
export function WithdrawalReview({
  draft,
  isPending,
  onConfirm,
  onClose,
}: {
  readonly draft: WithdrawalDraft;
  readonly isPending: boolean;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}) {
  const { asset, destination, usd } = draft;
  return (
    <ConfirmDialog
      isOpen
      title={`Withdraw ${moneyText(Number(usd))}?`}
      description={<p>The amount is held until an operator has reviewed the request.</p>}
      confirmLabel={`Withdraw ${moneyText(Number(usd))}`}
      isPending={isPending}
      error={null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <dl className="flex flex-col gap-4">
        <Fact name="Currency">{assetLabel(asset)}</Fact>
        <Fact name="Destination">
          <code className="font-mono break-all">{destination.trim()}</code>
        </Fact>
      </dl>
    </ConfirmDialog>
  );
}
