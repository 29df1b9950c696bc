import type { ReadServerAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { optional, useFilters } from "#ui/filters.ts";
import { Pager } from "#ui/pager.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { reads } from "#account/data/reads.ts";
import { LedgerTable } from "#account/shared/ledger-table.tsx";

/** The ledger entries about the server, and the charge of its order. */
export function BillingTab({ server }: { readonly server: ReadServerAnswer }) {
  const after = optional(useFilters().get("after"));
  const entries = useQuery(reads.ledgerEntries({ reference: server.id, after }));
  return (
    <Panel
      title="Charges and refunds"
      description="An order is a single charge for all its servers."
      isFlush
    >
      <Loaded query={entries}>
        {({ entries: list }) =>
          list.length === 0 ? (
            <EmptyState title="No charges yet" />
          ) : (
            <>
              <LedgerTable entries={list} />
              <Pager rows={list} />
            </>
          )
        }
      </Loaded>
    </Panel>
  );
}
