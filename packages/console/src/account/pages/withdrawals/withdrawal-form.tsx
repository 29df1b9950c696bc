import { useQuery } from "@tanstack/react-query";
import { Button } from "#ui/button.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { moneyText } from "#ui/money-text.ts";
import { reads } from "#account/data/reads.ts";
import { assetLabel, assetOrder, type Asset } from "#account/shared/assets.ts";

export interface WithdrawalDraft {
  readonly asset: Asset;
  readonly destination: string;
  readonly usd: string;
}

const partialAmount = /^\d{0,6}(?:\.\d{0,2})?$/;
const amount = /^(?:0|[1-9]\d{0,5})(?:\.\d{1,2})?$/;

export function WithdrawalForm({
  draft,
  error,
  isBlocked,
  onChange,
  onReview,
}: {
  readonly draft: WithdrawalDraft;
  readonly error: unknown;
  readonly isBlocked: boolean;
  readonly onChange: (draft: WithdrawalDraft) => void;
  readonly onReview: () => void;
}) {
  const { data: account } = useQuery(reads.account);
  const isComplete = draft.destination.trim() !== "" && amount.test(draft.usd);
  return (
    <Form label="New withdrawal" error={error} onSubmit={onReview}>
      <SelectField<Asset>
        name="asset"
        label="Currency"
        value={draft.asset}
        options={assetOrder.map((value) => ({
          value,
          label: assetLabel(value),
        }))}
        onChange={(asset) => onChange({ ...draft, asset })}
      />
      <TextField
        name="destination"
        label={`Your ${draft.asset} address`}
        hint="Double-check the address. Payments cannot be reversed."
        value={draft.destination}
        onChange={(destination) => onChange({ ...draft, destination })}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        isMono
      />
      <TextField
        name="usd"
        label="Amount in USD"
        hint={
          account === undefined
            ? "$1 to $100,000."
            : `$1 to $100,000. Your balance is ${moneyText(account.balanceUsd)}.`
        }
        prefix="$"
        inputMode="decimal"
        className="figures"
        value={draft.usd}
        onChange={(usd) => {
          if (partialAmount.test(usd)) onChange({ ...draft, usd });
        }}
        autoComplete="off"
      />
      <div>
        <Button type="submit" variant="primary" disabled={isBlocked || !isComplete}>
          Review withdrawal
        </Button>
      </div>
    </Form>
  );
}
