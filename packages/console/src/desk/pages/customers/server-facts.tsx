import type { InspectServerAnswer } from "@ironlease/client/operator";
import { Fact, Facts } from "#ui/facts.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Time } from "#ui/time.tsx";
import { AccountLink, MachineLink } from "#desk/shared/links.tsx";
import { MachineBadges, notRecorded, placeOf } from "#desk/shared/machine-state.tsx";

/** The record of a server, with its customer and its machine. */
export function ServerFacts({
  found: { server, account, machine },
}: {
  readonly found: InspectServerAnswer;
}) {
  const { ddosMode, ddosRequestedMode, ddosUsd, term } = server;
  const per = term === "weekly" ? "week" : "month";
  return (
    <div className="grid items-stretch gap-5 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
      <Panel title="Server">
        <Facts>
          <Fact name="Customer">
            <AccountLink id={account.id} username={account.username} />
          </Fact>
          <Fact name="Balance">
            <Money usd={account.balanceUsd} />
          </Fact>
          {server.label !== "" && <Fact name="Customer's label">{server.label}</Fact>}
          <Fact name="Configuration">{server.configId}</Fact>
          <Fact name="Region">{server.region}</Fact>
          <Fact name="Operating system">{server.osId}</Fact>
          <Fact name="Price">
            <Money usd={server.priceUsd} />
            <span className="font-normal text-quiet"> / {per}</span>
          </Fact>
          <Fact name="DDoS mode">
            {sentenceCase(ddosMode)}
            {ddosRequestedMode !== null && ` → ${sentenceCase(ddosRequestedMode)}`}
            {ddosUsd > 0 && (
              <span className="font-normal text-quiet">
                , <Money usd={ddosUsd} /> / {per}
              </span>
            )}
          </Fact>
          <Fact name="Paid through">
            {server.paidThrough === null ? "–" : <Time at={server.paidThrough} />}
          </Fact>
          {server.state === "GRACE" && server.graceUntil !== null && (
            <Fact name="Ends unless paid">
              <Time at={server.graceUntil} />
            </Fact>
          )}
          <Fact name="Renewal">{server.autoRenew ? "Automatic" : "Off"}</Fact>
          <Fact name="Ordered">
            <Time at={server.createdAt} />
          </Fact>
          <Fact name="Server id">
            <IdText id={server.id} what="server id" />
          </Fact>
          <Fact name="Order id">
            <IdText id={server.orderId} what="order id" />
          </Fact>
        </Facts>
      </Panel>
      <Panel title={server.state === "TERMINATED" ? "Last machine" : "Machine"}>
        <Facts>
          <Fact name="Asset tag">
            <MachineLink id={machine.id} assetTag={machine.assetTag} />
          </Fact>
          <Fact name="State">
            <MachineBadges machine={machine} />
          </Fact>
          <Fact name="Place">{placeOf(machine) || notRecorded}</Fact>
          <Fact name="Serial number">{machine.serialNumber ?? notRecorded}</Fact>
        </Facts>
      </Panel>
    </div>
  );
}
