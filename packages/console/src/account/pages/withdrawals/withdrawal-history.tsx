import { useQuery } from "@tanstack/react-query";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { LedgerTable } from "#account/shared/ledger-table.tsx";

/** What the ledger says of withdrawals. */
export function WithdrawalHistory() {
  const ledger = useQuery(reads.ledger);
  return (
    <Panel title="Withdrawals in the ledger" isFlush>
      <Loaded query={ledger}>
        {({ entries }) => {
          const found = entries.filter(({ type }) => type.startsWith("WITHDRAWAL_"));
          return found.length === 0 ? (
            <EmptyState title="None among the latest 100 entries" />
          ) : (
            <LedgerTable entries={found} />
          );
        }}
      </Loaded>
    </Panel>
  );
}
