import { useQuery } from "@tanstack/react-query";
import { Button } from "#ui/button.tsx";
import { SelectField, TextField } from "#ui/field.tsx";
import { Form } from "#ui/form.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { useNow } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { useBalance } from "#account/data/use-balance.ts";
import { amountProblem, isReviewable, maxUsd, minUsd } from "./amount-problem.ts";
import { assetLabel, assetOrder, type Asset } from "#account/shared/assets.ts";

export interface WithdrawalDraft {
  readonly asset: Asset;
  readonly destination: string;
  readonly usd: string;
}

const partialAmount = /^\d{0,6}(?:\.\d{0,2})?$/;

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
  const balanceUsd = useBalance();
  const problem = amountProblem(draft.usd, balanceUsd);
  const isComplete = draft.destination.trim() !== "" && isReviewable(draft.usd, balanceUsd);
  const most = Math.min(balanceUsd ?? 0, maxUsd);
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
      <SavedAddresses draft={draft} onChange={onChange} />
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
          balanceUsd === undefined
            ? "$1 to $100,000."
            : `$1 to $100,000. Your balance is ${moneyText(balanceUsd)}.`
        }
        problem={problem}
        prefix="$"
        inputMode="decimal"
        className="figures"
        value={draft.usd}
        onChange={(usd) => {
          if (partialAmount.test(usd)) onChange({ ...draft, usd });
        }}
        autoComplete="off"
      />
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" disabled={isBlocked || !isComplete}>
          Review withdrawal
        </Button>
        {most >= minUsd && (
          <Button onClick={() => onChange({ ...draft, usd: most.toFixed(2) })}>
            Use {moneyText(most)}
          </Button>
        )}
      </div>
    </Form>
  );
}

/** Fills in an address that the customer has saved, and says what the lock allows. */
function SavedAddresses({
  draft,
  onChange,
}: {
  readonly draft: WithdrawalDraft;
  readonly onChange: (draft: WithdrawalDraft) => void;
}) {
  const { data: lock } = useQuery(reads.withdrawalLock);
  const { data: saved } = useQuery(reads.withdrawalAddresses);
  const now = useNow(60_000);
  const isLocked = lock?.locked === true;
  const fitting = (saved?.withdrawalAddresses ?? []).filter(
    ({ asset, usableAt }) => asset === draft.asset && (!isLocked || Date.parse(usableAt) <= now),
  );
  const chosen = fitting.find(({ destination }) => destination === draft.destination.trim());
  return (
    <>
      {isLocked && (
        <Notice tone="info" title="Withdrawals are locked">
          <p>
            They go only to addresses that you saved at least 48 hours ago.{" "}
            {saved !== undefined && fitting.length === 0 && (
              <>You have no such {draft.asset} address yet. </>
            )}
            <TextLink to={accountRoutes.security}>Manage addresses and lock</TextLink>
          </p>
        </Notice>
      )}
      {fitting.length > 0 && (
        <SelectField
          name="savedAddress"
          label="Saved address"
          value={chosen?.id ?? ""}
          options={[
            { value: "", label: "Another address" },
            ...fitting.map(({ id, label, destination }) => ({
              value: id,
              label: label === "" ? destination : `${label}: ${destination}`,
            })),
          ]}
          onChange={(id) => {
            const address = fitting.find((one) => one.id === id);
            onChange({ ...draft, destination: address?.destination ?? "" });
          }}
        />
      )}
    </>
  );
}
