import type { InspectServerAnswer } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { Button, LinkButton } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { ServerStateBadge } from "#desk/shared/server-state.tsx";
import { Missing } from "#desk/shared/missing.tsx";
import { ServerFacts } from "./server-facts.tsx";
import { addressColumns, chargeColumns, serverWorkColumns } from "./server-columns.tsx";
import { SuspensionDialog } from "./suspension-dialog.tsx";

/** Everything about one server of a customer. */
export function ServerPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const query = useQuery(reads.server(id));
  const { data } = query;
  const name = data === undefined ? "Server" : (data.server.hostname ?? "Undelivered server");
  const crumbs =
    data === undefined
      ? []
      : [{ to: urlOf(deskRoutes.account, { id: data.account.id }), label: data.account.username }];
  return (
    <Page
      title={name}
      crumbs={[{ to: deskRoutes.accounts, label: "Accounts" }, ...crumbs]}
      lead={data !== undefined && <ServerStateBadge state={data.server.state} />}
      actions={data !== undefined && <ServerActions found={data} />}
    >
      <Loaded key={id} query={query} missing={<Missing what="Server" />}>
        {(found) => <ServerDetails found={found} />}
      </Loaded>
    </Page>
  );
}

function ServerActions({ found: { server, account, threadId } }: Found) {
  const { can } = usePermissions();
  const [isSuspending, setIsSuspending] = useState(false);
  const isSuspended = server.state === "SUSPENDED";
  const canSuspend = ["ACTIVE", "GRACE", "SUSPENDED"].includes(server.state);
  return (
    <>
      {threadId !== null && (
        <LinkButton to={urlOf(deskRoutes.thread, { id: threadId })}>Open thread</LinkButton>
      )}
      {account.closedAt === null && (
        <LinkButton to={deskRoutes.newMessage} search={{ serverId: server.id }}>
          Write to customer
        </LinkButton>
      )}
      {canSuspend && can("suspendServer") && (
        <Button onClick={() => setIsSuspending(true)}>{isSuspended ? "Resume" : "Suspend"}</Button>
      )}
      {isSuspending && <SuspensionDialog server={server} onClose={() => setIsSuspending(false)} />}
    </>
  );
}

interface Found {
  readonly found: InspectServerAnswer;
}

function ServerDetails({ found }: Found) {
  const { server, account, assignments, work, charges } = found;
  const open = work.filter(({ endedAt }) => endedAt === null);
  const ended = work.filter(({ endedAt }) => endedAt !== null);
  const { suspension } = server;
  return (
    <>
      {suspension !== undefined && (
        <Notice tone="warn" title="This server is suspended">
          <p className="wrap-anywhere">
            Since <Time at={suspension.since} />. The customer reads: {suspension.reason}
          </p>
        </Notice>
      )}
      {account.frozen && (
        <Notice tone="warn" title="The account is frozen">
          <p>The customer cannot make changes to this server.</p>
        </Notice>
      )}
      <ServerFacts found={found} />
      <Panel title="Open work" isFlush>
        {open.length === 0 ? (
          <EmptyState title="No open work" />
        ) : (
          <Table label="Open work" isDense columns={serverWorkColumns} rows={open} keyOf={keyOf} />
        )}
      </Panel>
      <Panel title="Addresses" isFlush>
        {assignments.length === 0 ? (
          <EmptyState title="No addresses" />
        ) : (
          <Table
            label="Addresses"
            isDense
            columns={addressColumns}
            rows={assignments}
            keyOf={keyOf}
          />
        )}
      </Panel>
      <div className="grid items-start gap-x-5 gap-y-6 lg:gap-y-8 2xl:grid-cols-2">
        <Panel title="Past work" isFlush>
          {ended.length === 0 ? (
            <EmptyState title="No past work" />
          ) : (
            <Table
              label="Past work"
              isDense
              columns={serverWorkColumns}
              rows={ended}
              keyOf={keyOf}
            />
          )}
        </Panel>
        <Panel title="Charges" isFlush>
          <Table label="Charges" isDense columns={chargeColumns} rows={charges} keyOf={keyOf} />
        </Panel>
      </div>
    </>
  );
}

const keyOf = ({ id }: { readonly id: string }) => id;
