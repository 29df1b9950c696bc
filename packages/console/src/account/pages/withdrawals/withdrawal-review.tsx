import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Fact } from "#ui/facts.tsx";
import { moneyText } from "#ui/money-text.ts";
import { assets } from "#account/shared/assets.ts";
import type { WithdrawalDraft } from "./withdrawal-form.tsx";

/** The last look at where the money goes. */
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
      description={<p>The sum is held at once, until an operator has reviewed the request.</p>}
      doIt={`Hold ${moneyText(Number(usd))} and request`}
      isPending={isPending}
      error={null}
      onConfirm={onConfirm}
      onClose={onClose}
    >
      <dl className="flex flex-col gap-4">
        <Fact name="Paid in">
          {assets[asset].name} ({asset}) on {assets[asset].on}
        </Fact>
        <Fact name="To">
          <code className="font-mono break-all">{destination.trim()}</code>
        </Fact>
      </dl>
    </ConfirmDialog>
  );
}
