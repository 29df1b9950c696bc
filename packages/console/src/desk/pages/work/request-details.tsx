import type { WorkItem } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { catalogueNames } from "#data/catalogue-names.ts";
import { CopyValue } from "#ui/copy-button.tsx";
import { IdText } from "#ui/id-text.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Money } from "#ui/money.tsx";
import { priceText } from "#ui/money-text.ts";
import { sentenceCase, sentenceOf } from "#ui/sentence-case.ts";
import { Time } from "#ui/time.tsx";
import { reads } from "#desk/data/reads.ts";
import { AccountLink } from "#desk/shared/links.tsx";
import {
  actionWord,
  operatorRequest,
  quoteOf,
  textOf,
  withdrawalOf,
} from "#desk/shared/work-detail.ts";

/** The request, with copy buttons for every value an operator needs. */
export function RequestDetails({ item }: { readonly item: WorkItem }) {
  const { detail, assetTag } = item;
  const hostname = textOf(detail, "hostname");
  return (
    <Facts>
      <KindFacts item={item} />
      {assetTag !== undefined && item.kind !== "PROVISION" && (
        <Fact name="Asset tag">
          <CopyValue text={assetTag} what="asset tag" />
        </Fact>
      )}
      {hostname !== undefined && <Fact name="Hostname">{hostname}</Fact>}
      <Fact name="Customer">
        <AccountLink id={item.accountId} username={item.username} />
      </Fact>
      <Fact name="Requested">
        <Time at={item.createdAt} />
      </Fact>
      <Identifier name="Server" id={item.serverId} />
      <Identifier name="Order" id={item.orderId} />
      <Identifier name="Withdrawal" id={item.withdrawalId} />
      <Identifier name="Request" id={item.actionId} />
    </Facts>
  );
}

function KindFacts({ item }: { readonly item: WorkItem }): ReactNode {
  const { kind, detail } = item;
  switch (kind) {
    case "PROVISION":
      return <Ordered item={item} />;
    case "SERVER_ACTION":
      return (
        <>
          <Fact name="Action">{actionWord(textOf(detail, "action") ?? "")}</Fact>
          {item.actionId === undefined && (
            <>
              <Fact name="Requested by">{operatorRequest(detail)}</Fact>
              <Fact name="Reason" isWide>
                <span className="wrap-anywhere">{textOf(detail, "reason")}</span>
              </Fact>
            </>
          )}
          <Installation item={item} />
          <Wide name="ISO image" text={textOf(detail, "isoUrl")} />
        </>
      );
    case "WITHDRAWAL": {
      const { usd, asset, destination, amount, rate, amountError } = withdrawalOf(item);
      return (
        <>
          <Fact name="Amount">
            <Money usd={usd} className="text-xl font-semibold" />
          </Fact>
          <Fact name="Currency">{asset}</Fact>
          {amount !== undefined && (
            <Fact name="Coins to pay">
              <CopyValue text={amount} what="amount" />
            </Fact>
          )}
          {rate !== undefined && (
            <Fact name="Rate">
              1 {asset} = {priceText(rate)}
            </Fact>
          )}
          {amountError !== undefined && <Fact name="Coins to pay">{sentenceOf(amountError)}</Fact>}
          <Wide name="Destination" text={destination} />
        </>
      );
    }
    case "DDOS":
      return (
        <>
          <Fact name="Requested mode">{sentenceCase(textOf(detail, "mode") ?? "")}</Fact>
          <QuoteFacts item={item} />
        </>
      );
    case "RECLAIM":
      return (
        <>
          <Fact name="Reason">{textOf(detail, "reason")}</Fact>
          <Installation item={item} />
        </>
      );
  }
}

/** The machine and all that is configured on it are in the delivery. */
function Ordered({ item: { delivery } }: { readonly item: WorkItem }) {
  if (delivery === undefined) return null;
  return (
    <Fact name="Ordered">
      {delivery.term === "weekly" ? "Weekly" : "Monthly"}, <Money usd={delivery.priceUsd} />
    </Fact>
  );
}

function QuoteFacts({ item }: { readonly item: WorkItem }) {
  const quote = quoteOf(item);
  if (quote === undefined) {
    const isRequired = item.detail["quoteRequired"] === true;
    return (
      <Fact name="Quote">
        {isRequired ? "Required. The customer must accept it" : "Not required"}
      </Fact>
    );
  }
  const { usd, expiresAt, acceptedAt } = quote;
  return (
    <>
      <Fact name="Quote">
        <Money usd={usd} /> per term
      </Fact>
      {acceptedAt !== undefined && (
        <Fact name="Accepted">
          <Time at={acceptedAt} />
        </Fact>
      )}
      {item.waitingSince !== undefined && expiresAt !== undefined && (
        <Fact name="Not accepted yet, valid until">
          <Time at={expiresAt} />
        </Fact>
      )}
    </>
  );
}

function Installation({ item: { detail } }: { readonly item: WorkItem }) {
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  const [configId, regionId, osId] = ["configId", "regionId", "osId"].map((name) =>
    textOf(detail, name),
  );
  return (
    <>
      {configId !== undefined && <Fact name="Configuration">{names.configuration(configId)}</Fact>}
      {regionId !== undefined && <Fact name="Region">{names.region(regionId)}</Fact>}
      {osId !== undefined && <Fact name="Operating system">{names.operatingSystem(osId)}</Fact>}
      <Wide name="SSH key" text={textOf(detail, "sshPublicKey")} />
    </>
  );
}

function Wide({ name, text }: { readonly name: string; readonly text: string | undefined }) {
  if (text === undefined) return null;
  return (
    <Fact name={name} isWide>
      <CopyValue text={text} what={name} />
    </Fact>
  );
}

function Identifier({ name, id }: { readonly name: string; readonly id: string | undefined }) {
  if (id === undefined) return null;
  return (
    <Fact name={name}>
      <IdText id={id} what={`${name.toLowerCase()} id`} />
    </Fact>
  );
}
