import type { AdjustBalanceRequest, InspectAccountAnswer } from "@ironlease/client/operator";
import { useState } from "react";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { SelectField, TextArea, TextField } from "#ui/field.tsx";
import { moneyText } from "#ui/money-text.ts";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

const partialAmount = /^\d{0,9}(?:\.\d{0,2})?$/;
const amount = /^(?:0|[1-9]\d*)(?:\.\d{1,2})?$/;

/** Adds to or deducts from a balance, once per intent even if an answer is lost. */
export function AdjustDialog({
  account: { id, username, balanceUsd },
  onClose,
}: {
  readonly account: InspectAccountAnswer;
  readonly onClose: () => void;
}) {
  const [direction, setDirection] = useState<"add" | "deduct">("add");
  const [usd, setUsd] = useState("");
  const [reason, setReason] = useState("");
  const adjust = useIdempotentChange(
    `adjustment/${id}`,
    (request: AdjustBalanceRequest, options) => client.adjustBalance(request, options),
    [keys.accounts, keys.overview],
  );
  const { unanswered } = adjust;
  const isComplete = amount.test(usd) && Number(usd) > 0 && reason.trim() !== "";
  const send = (request: AdjustBalanceRequest) =>
    adjust.mutate(request, {
      onSuccess: () => {
        toast(`Balance of ${username} adjusted`);
        onClose();
      },
    });
  return (
    <ConfirmDialog
      isOpen
      title={`Adjust balance of ${username}`}
      description={<p>Current balance: {moneyText(balanceUsd)}. The customer sees the reason.</p>}
      confirmLabel={direction === "add" ? "Add to balance" : "Deduct from balance"}
      isDangerous={direction === "deduct"}
      isPending={adjust.isPending}
      isBlocked={unanswered !== undefined || !isComplete}
      error={unanswered === undefined ? adjust.error : null}
      onConfirm={() =>
        send({ id, usd: direction === "add" ? usd : `-${usd}`, reason: reason.trim() })
      }
      onClose={onClose}
    >
      {unanswered !== undefined && (
        <UnansweredNotice
          what={`Your adjustment of ${moneyText(Number(unanswered.request.usd))}`}
          at={unanswered.at}
          isPending={adjust.isPending}
          onRetry={() => send(unanswered.request)}
          onDiscard={adjust.discard}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="direction"
          label="Direction"
          value={direction}
          onChange={setDirection}
          options={[
            { value: "add", label: "Add to balance" },
            { value: "deduct", label: "Deduct from balance" },
          ]}
        />
        <TextField
          name="usd"
          label="Amount in USD"
          prefix="$"
          inputMode="decimal"
          className="figures"
          value={usd}
          onChange={(text) => {
            if (partialAmount.test(text)) setUsd(text);
          }}
          autoComplete="off"
        />
      </div>
      <TextArea name="reason" label="Reason" rows={3} value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
