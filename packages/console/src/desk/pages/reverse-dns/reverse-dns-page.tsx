import type { ReadReverseDnsAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { Globe } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { client } from "#desk/data/client.ts";
import { keys, reads } from "#desk/data/reads.ts";
import { driftColumns, zoneColumns } from "./columns.tsx";

export function ReverseDnsPage() {
  const reverseDns = useQuery(reads.reverseDns);
  return (
    <Page title="Reverse DNS" lead="What customers set, and what the name servers answer">
      <Loaded query={reverseDns}>{(state) => <State state={state} />}</Loaded>
    </Page>
  );
}

function State({ state }: { readonly state: ReadReverseDnsAnswer }) {
  const { isConnected, error, pending, failed, zones, drift } = state;
  if (!isConnected) {
    return (
      <Panel>
        <EmptyState icon={<Globe className="size-6" />} title="No DNS server is connected">
          Names are stored and not published. Set IRONLEASE_DNS to publish them.
        </EmptyState>
      </Panel>
    );
  }
  return (
    <>
      {error !== null && (
        <Notice tone="bad" isAnnounced title="The DNS server cannot be used">
          <p className="max-w-prose wrap-anywhere">{error}</p>
        </Notice>
      )}
      <RunPanel pending={pending} failed={failed} />
      <Panel title="Differences" description="The service never changes foreign records" isFlush>
        {drift.length === 0 ? (
          <EmptyState icon={<Globe className="size-6" />} title="No differences" />
        ) : (
          <Table
            label="Differences"
            isDense
            columns={driftColumns}
            rows={drift}
            keyOf={({ kind, name }) => `${kind} ${name}`}
          />
        )}
      </Panel>
      <Panel title="Zones" isFlush>
        {zones.length === 0 ? (
          <EmptyState title="No zones yet">The first assigned address needs one.</EmptyState>
        ) : (
          <Table
            label="Zones"
            isDense
            columns={zoneColumns}
            rows={zones}
            keyOf={({ zone }) => zone}
          />
        )}
      </Panel>
    </>
  );
}

function RunPanel({ pending, failed }: { readonly pending: number; readonly failed: number }) {
  const run = useChange(client.runReverseDns, [keys.reverseDns]);
  return (
    <Panel title="Records">
      <p>
        {pending} pending, {failed} failed
      </p>
      <div className="mt-4 flex flex-wrap items-center gap-4">
        <Button variant="primary" isPending={run.isPending} onClick={() => run.mutate()}>
          Run now
        </Button>
        {run.data !== undefined && (
          <p role="status" className="text-sm text-good">
            Comparing all zones.
          </p>
        )}
      </div>
      {run.error !== null && <ErrorNotice error={run.error} />}
    </Panel>
  );
}
