import type { ReadServerAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState, type ComponentType } from "react";
import { catalogueNames, type CatalogueNames } from "#data/catalogue-names.ts";
import { CopyValue } from "#ui/copy-button.tsx";
import { Page } from "#ui/page.tsx";
import { Loaded } from "#ui/states.tsx";
import { Tabs } from "#ui/tabs.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { Missing } from "#account/shared/missing.tsx";
import { NoticeBanners } from "#account/shared/notice-banners.tsx";
import { ServerStateBadge } from "#account/shared/server-states.tsx";
import type { Requested } from "./action-dialog.tsx";
import { BillingTab } from "./billing-tab.tsx";
import { GraceNotice } from "./grace-notice.tsx";
import { MessagesTab } from "./messages-tab.tsx";
import { NetworkTab } from "./network-tab.tsx";
import { OverviewTab } from "./overview-tab.tsx";
import { RequestedNotice, ServerActions } from "./server-actions.tsx";
import { SettingsTab } from "./settings-tab.tsx";
import { SuspensionNotice } from "./suspension-notice.tsx";

export function ServerPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  // Another server starts without the notice of the last one.
  return <OneServer key={id} id={id} />;
}

function OneServer({ id }: { readonly id: string }) {
  const server = useQuery(reads.server(id));
  const { data: catalogue } = useQuery(reads.catalogue);
  const [requested, setRequested] = useState<Requested>();
  const { data } = server;
  return (
    <Page
      title={data === undefined ? "Server" : titleOf(data, catalogueNames(catalogue))}
      crumbs={[{ to: accountRoutes.servers, label: "Servers" }]}
      lead={data !== undefined && <Lead server={data} />}
      actions={data !== undefined && <ServerActions server={data} onRequested={setRequested} />}
    >
      <Loaded
        query={server}
        isPadded={false}
        missing={<Missing what="Server" list={accountRoutes.servers} linkText="View all servers" />}
      >
        {(found) => (
          <>
            {requested !== undefined && <RequestedNotice serverId={id} requested={requested} />}
            <Attention server={found} />
            <ServerTabs server={found} />
          </>
        )}
      </Loaded>
    </Page>
  );
}

function titleOf({ label, hostname, configId }: ReadServerAnswer, names: CatalogueNames): string {
  return label || (hostname ?? names.configuration(configId));
}

function Lead({ server }: { readonly server: ReadServerAnswer }) {
  const { state, label, hostname, assignments } = server;
  const address = (assignments.find(({ family }) => family === 4) ?? assignments[0])?.address;
  return (
    <span className="flex flex-wrap items-center gap-x-4 gap-y-1">
      <ServerStateBadge state={state} />
      {label !== "" && hostname !== null && (
        <span className="text-sm wrap-anywhere">{hostname}</span>
      )}
      {address !== undefined && <CopyValue text={`ssh root@${address}`} what="SSH command" />}
    </span>
  );
}

/** What the customer should know or decide, on every tab. */
function Attention({ server }: { readonly server: ReadServerAnswer }) {
  return (
    <>
      <NoticeBanners server={server} />
      {server.state === "GRACE" && <GraceNotice server={server} />}
      {server.suspension !== undefined && (
        <SuspensionNotice serverId={server.id} suspension={server.suspension} />
      )}
    </>
  );
}

interface OfServer {
  readonly server: ReadServerAnswer;
}

const showing = (Content: ComponentType<OfServer>, server: ReadServerAnswer) => () => (
  <Content server={server} />
);

function ServerTabs({ server }: OfServer) {
  const count = server.thread?.unread;
  return (
    <Tabs
      label="Server"
      tabs={[
        { value: "overview", label: "Overview", content: showing(OverviewTab, server) },
        { value: "network", label: "Network", content: showing(NetworkTab, server) },
        { value: "messages", label: "Messages", count, content: showing(MessagesTab, server) },
        { value: "billing", label: "Billing", content: showing(BillingTab, server) },
        { value: "settings", label: "Settings", content: showing(SettingsTab, server) },
      ]}
    />
  );
}
