import type { AdjustBalanceRequest, InspectAccountAnswer } from "@ironlease/client/operator";
import { useState } from "react";
import { useOnce } from "#data/use-once.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { SelectField, TextArea, TextField } from "#ui/field.tsx";
import { moneyText } from "#ui/money-text.ts";
import { UnsettledNotice } from "#ui/unsettled-notice.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";

const sumInProgress = /^\d{0,9}(?:\.\d{0,2})?$/;
const sum = /^(?:0|[1-9]\d*)(?:\.\d{1,2})?$/;

/** Moves money between the house and a customer, once per intent whatever becomes of the answer. */
export function AdjustDialog({
  account: { id, username, balanceUsd },
  onClose,
}: {
  readonly account: InspectAccountAnswer;
  readonly onClose: () => void;
}) {
  const [direction, setDirection] = useState<"give" | "take">("give");
  const [usd, setUsd] = useState("");
  const [reason, setReason] = useState("");
  const adjust = useOnce(
    `adjustment/${id}`,
    (request: AdjustBalanceRequest, options) => client.adjustBalance(request, options),
    [keys.accounts, keys.overview],
  );
  const { unsettled } = adjust;
  const isWhole = sum.test(usd) && Number(usd) > 0 && reason.trim() !== "";
  const send = (request: AdjustBalanceRequest) => adjust.mutate(request, { onSuccess: onClose });
  return (
    <ConfirmDialog
      isOpen
      title={`Adjust the balance of ${username}`}
      description={<p>It is {moneyText(balanceUsd)} now. The customer reads the reason.</p>}
      doIt={direction === "give" ? "Add to the balance" : "Take from the balance"}
      isDangerous={direction === "take"}
      isPending={adjust.isPending}
      isBlocked={unsettled !== undefined || !isWhole}
      error={unsettled === undefined ? adjust.error : null}
      onConfirm={() =>
        send({ id, usd: direction === "give" ? usd : `-${usd}`, reason: reason.trim() })
      }
      onClose={onClose}
    >
      {unsettled !== undefined && (
        <UnsettledNotice
          what={`An adjustment of ${moneyText(Number(unsettled.request.usd))}`}
          at={unsettled.at}
          isPending={adjust.isPending}
          onResend={() => send(unsettled.request)}
          onGiveUp={adjust.giveUp}
        />
      )}
      <div className="grid gap-4 sm:grid-cols-2">
        <SelectField
          name="direction"
          label="Direction"
          value={direction}
          onChange={setDirection}
          options={[
            { value: "give", label: "Give to the customer" },
            { value: "take", label: "Take from the customer" },
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
            if (sumInProgress.test(text)) setUsd(text);
          }}
          autoComplete="off"
        />
      </div>
      <TextArea name="reason" label="Reason" rows={3} value={reason} onChange={setReason} />
    </ConfirmDialog>
  );
}
