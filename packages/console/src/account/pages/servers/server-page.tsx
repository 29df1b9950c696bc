import type { ReadServerAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { CopyValue } from "#ui/copy-button.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { Page } from "#ui/page.tsx";
import { Panel } from "#ui/panel.tsx";
import { EmptyState, Loaded } from "#ui/states.tsx";
import { Table } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes } from "#app/urls.ts";
import { reads } from "#account/data/reads.ts";
import { addressColumns } from "#account/shared/address-columns.tsx";
import { termText } from "#account/shared/renewal-price.ts";
import { ActionsPanel } from "./actions-panel.tsx";
import { catalogueNames } from "#data/catalogue-names.ts";
import { CancelPanel } from "./cancel-panel.tsx";
import { DdosPanel } from "./ddos-panel.tsx";
import { GraceNotice } from "./grace-notice.tsx";
import { LabelEditor } from "./label-editor.tsx";
import { MessagesPanel } from "./messages-panel.tsx";
import { QuotePanel } from "./quote-panel.tsx";
import { RenewalPanel } from "./renewal-panel.tsx";
import { NoticeBanners } from "#account/shared/notice-banners.tsx";
import { serverStateLabels, ServerStateBadge } from "#account/shared/server-states.tsx";
import { SuspensionNotice } from "./suspension-notice.tsx";

export function ServerPage() {
  const { id = "" }: { id?: string } = useParams({ strict: false });
  const server = useQuery(reads.server(id));
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  const { data } = server;
  const title =
    data === undefined
      ? "Server"
      : data.label || (data.hostname ?? names.configuration(data.configId));
  return (
    <Page
      title={title}
      crumbs={[{ to: accountRoutes.servers, label: "Servers" }]}
      lead={data !== undefined && <ServerStateBadge state={data.state} />}
    >
      <Loaded query={server}>{(found) => <ServerDetails server={found} />}</Loaded>
    </Page>
  );
}

function ServerDetails({ server }: { readonly server: ReadServerAnswer }) {
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  const { state, term, priceUsd, paidThrough, createdAt, assignments } = server;
  return (
    <>
      <NoticeBanners server={server} />
      {state === "GRACE" && <GraceNotice server={server} />}
      {server.suspension !== undefined && (
        <SuspensionNotice serverId={server.id} suspension={server.suspension} />
      )}
      <div className="grid items-start gap-6 lg:grid-cols-[minmax(0,1fr)_21rem]">
        <div className="flex min-w-0 flex-col gap-6">
          <Panel title="Details" description={serverStateLabels[state].meaning}>
            <Facts>
              <Fact name="Label">
                <LabelEditor server={server} />
              </Fact>
              <Fact name="Hostname">{server.hostname ?? "Assigned at delivery"}</Fact>
              <Fact name="Configuration">{names.configuration(server.configId)}</Fact>
              <Fact name="Region">{names.region(server.region)}</Fact>
              <Fact name="Operating system">{names.operatingSystem(server.osId)}</Fact>
              <Fact name="Price">
                <Money usd={priceUsd} /> per {termText[term]}
              </Fact>
              {server.ddosUsd > 0 && (
                <Fact name="DDoS protection">
                  <Money usd={server.ddosUsd} /> per {termText[term]}
                </Fact>
              )}
              <Fact name="Paid through">
                {paidThrough === null ? "Starts at delivery" : <Time at={paidThrough} />}
              </Fact>
              <Fact name="Ordered">
                <Time at={createdAt} />
              </Fact>
              <Fact name="Server id">
                <CopyValue text={server.id} what="server id" />
              </Fact>
              <Fact name="Order id">
                <CopyValue text={server.orderId} what="order id" />
              </Fact>
            </Facts>
          </Panel>
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
          <ActionsPanel server={server} />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <MessagesPanel serverId={server.id} />
          <RenewalPanel server={server} />
          {server.ddos.quote !== null && <QuotePanel server={server} quote={server.ddos.quote} />}
          <DdosPanel server={server} />
          {state === "PROVISIONING" && <CancelPanel server={server} />}
        </div>
      </div>
    </>
  );
}
