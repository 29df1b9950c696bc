import type { ReadServerAnswer } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { catalogueNames } from "#data/catalogue-names.ts";
import { Fact, Facts } from "#ui/facts.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Money } from "#ui/money.tsx";
import { Panel } from "#ui/panel.tsx";
import { Time, useNow } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { termText } from "#account/shared/renewal-price.ts";
import { serverStateLabels } from "#account/shared/server-states.tsx";
import { QuotePanel } from "./quote-panel.tsx";
import { renewalCountdown } from "./renewal-countdown.ts";

export function OverviewTab({ server }: { readonly server: ReadServerAnswer }) {
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  const parts = catalogue?.configurations.find(({ id }) => id === server.configId);
  return (
    <>
      {server.ddos.quote !== null && <QuotePanel server={server} quote={server.ddos.quote} />}
      <div className="grid items-start gap-6 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Panel title="Details" description={serverStateLabels[server.state].meaning}>
          <Facts>
            <Fact name="Hostname">{server.hostname ?? "Assigned at delivery"}</Fact>
            <Fact name="Region">{names.region(server.region)}</Fact>
            <Fact name="Operating system">{names.operatingSystem(server.osId)}</Fact>
            <Fact name="Configuration">{names.configuration(server.configId)}</Fact>
            {parts !== undefined && (
              <>
                <Fact name="Processor">{parts.cpu}</Fact>
                <Fact name="Memory">{parts.memoryGb} GB</Fact>
                <Fact name="Storage">{parts.storage}</Fact>
                <Fact name="Bandwidth">{parts.bandwidth}</Fact>
              </>
            )}
            <Fact name="Server id" isWide>
              <IdText id={server.id} what="server id" />
            </Fact>
          </Facts>
        </Panel>
        <RentalPanel server={server} />
      </div>
    </>
  );
}

const everyMs = 60_000;

function RentalPanel({ server }: { readonly server: ReadServerAnswer }) {
  const { term, priceUsd, ddosUsd, paidThrough, autoRenew, createdAt, orderId } = server;
  const { text, isUrgent } = renewalCountdown(server, useNow(everyMs));
  return (
    <Panel title="Rental">
      <Facts>
        <Fact name="Next">
          <span className={isUrgent ? "text-warn" : undefined}>{text}</span>
        </Fact>
        <Fact name="Automatic renewal">{autoRenew ? "On" : "Off"}</Fact>
        <Fact name="Paid through">
          {paidThrough === null ? "Starts at delivery" : <Time at={paidThrough} />}
        </Fact>
        <Fact name="Price">
          <Money usd={priceUsd} /> per {termText[term]}
        </Fact>
        {ddosUsd > 0 && (
          <Fact name="DDoS protection">
            <Money usd={ddosUsd} /> per {termText[term]}
          </Fact>
        )}
        <Fact name="Ordered">
          <Time at={createdAt} />
        </Fact>
        <Fact name="Order id" isWide>
          <IdText id={orderId} what="order id" />
        </Fact>
      </Facts>
    </Panel>
  );
}
