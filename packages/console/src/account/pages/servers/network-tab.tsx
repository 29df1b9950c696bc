import type { ReadServerAnswer } from "@ironlease/client";
import { Panel } from "#ui/panel.tsx";
import { EmptyState } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { addressColumns } from "#account/shared/address-columns.tsx";
import { DdosPanel } from "./ddos-panel.tsx";
import { QuotePanel } from "./quote-panel.tsx";

export function NetworkTab({ server }: { readonly server: ReadServerAnswer }) {
  const { assignments } = server;
  return (
    <>
      {server.ddos.quote !== null && <QuotePanel server={server} quote={server.ddos.quote} />}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <Panel title="Addresses" isFlush={assignments.length > 0}>
          {assignments.length === 0 ? (
            <EmptyState title="No addresses yet">Addresses are assigned at delivery.</EmptyState>
          ) : (
            <Table
              label="Addresses"
              columns={addressColumns}
              rows={assignments}
              keyOf={({ id }) => id}
            />
          )}
        </Panel>
        <DdosPanel server={server} />
      </div>
    </>
  );
}
