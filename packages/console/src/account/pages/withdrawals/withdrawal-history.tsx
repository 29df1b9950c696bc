import { useQuery } from "@tanstack/react-query";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { LedgerTable } from "#account/shared/ledger-table.tsx";

/** The ledger entries of withdrawals. */
export function WithdrawalHistory() {
  const ledger = useQuery(reads.ledger);
  return (
    <Panel title="Withdrawal history" isFlush>
      <Loaded query={ledger}>
        {({ entries }) => {
          const found = entries.filter(({ type }) => type.startsWith("WITHDRAWAL_"));
          return found.length === 0 ? (
            <EmptyState title="No withdrawals among the latest 100 ledger entries" />
          ) : (
            <LedgerTable entries={found} />
          );
        }}
      </Loaded>
    </Panel>
  );
}
