import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { CheckBox } from "#ui/field.tsx";
import { IdempotentForm } from "#ui/idempotent-form.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { withdrawalOf } from "#desk/shared/work-detail.ts";
import { usePreparePayout } from "#desk/shared/use-prepare-payout.ts";

/** Chooses among the withdrawals that this operator holds, if any. One transaction pays one asset. */
export function PreparePanel() {
  const { username } = usePermissions();
  const { data } = useQuery(reads.work({ kind: "WITHDRAWAL", state: "CLAIMED" }));
  const own = data?.work.filter(({ claimedBy }) => claimedBy === username) ?? [];
  if (own.length === 0) return null;
  return (
    <Panel
      title="Prepare a payout"
      description="Several withdrawals of one asset can share a transaction and its fee."
    >
      <PrepareForm items={own} />
    </Panel>
  );
}

function PrepareForm({ items }: { readonly items: readonly WorkItem[] }) {
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const prepare = usePreparePayout();
  // An item whose claim has ended is no longer in the list, and must not be sent.
  const selected = items.filter(({ id }) => chosen.includes(id));
  const assets = new Set(selected.map((item) => withdrawalOf(item).asset));
  return (
    <IdempotentForm
      label="Prepare a payout"
      what="Your payout"
      submitLabel="Prepare payout"
      change={prepare}
      request={{ workIds: selected.map(({ id }) => id) }}
      isComplete={assets.size === 1}
    >
      <fieldset className="flex flex-col gap-3">
        <legend className="mb-3 text-sm font-medium">Claimed by you</legend>
        {items.map((item) => (
          <CheckBox
            key={item.id}
            label={labelOf(item)}
            isChecked={chosen.includes(item.id)}
            onChange={(isChecked) =>
              setChosen((ids) =>
                isChecked ? [...ids, item.id] : ids.filter((id) => id !== item.id),
              )
            }
          />
        ))}
      </fieldset>
      {assets.size > 1 && (
        <p className="text-sm text-quiet">Choose withdrawals of one asset only.</p>
      )}
    </IdempotentForm>
  );
}

function labelOf(item: WorkItem) {
  const { usd, asset, destination } = withdrawalOf(item);
  return (
    <span className="flex min-w-0 flex-col">
      <span>
        <span className="figures font-medium">{moneyText(usd)}</span> in {asset} to {item.username}
      </span>
      <code className="font-mono text-xs break-all text-quiet">{destination}</code>
    </span>
  );
}
