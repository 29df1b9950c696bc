import type { DeliveryAddress } from "@ironlease/client/operator";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { deskRoutes } from "#app/urls.ts";
import { catalogueNames } from "#data/catalogue-names.ts";
import { CopyButton, CopyValue } from "#ui/copy-button.tsx";
import { Fact, Facts } from "#ui/facts.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { reads } from "#desk/data/reads.ts";
import type { Delivery } from "#desk/shared/work-detail.ts";
import { hostAddress, networkText } from "./network-text.ts";

/** All that an operator configures before they complete a delivery, each value with a copy button. */
export function DeliveryPanel({
  delivery,
  hasEnded,
}: {
  readonly delivery: Delivery;
  /** Of the item. Its addresses are the server's then, until the server ends as well. */
  readonly hasEnded: boolean;
}) {
  const { data: catalogue } = useQuery(reads.catalogue);
  const names = catalogueNames(catalogue);
  const { addresses, problem, sshPublicKey } = delivery;
  return (
    <Panel title="Delivery">
      <div className="flex flex-col gap-6">
        <Facts>
          <Copied name="Machine" text={delivery.assetTag} />
          <Fact name="Rack">
            {rackText(delivery) ?? (
              <>
                Not set.{" "}
                <TextLink to={deskRoutes.machine.replace("$id", delivery.machineId)}>
                  Set it
                </TextLink>
              </>
            )}
          </Fact>
          {delivery.serialNumber !== null && (
            <Copied name="Serial number" text={delivery.serialNumber} />
          )}
          {delivery.switchPort !== null && <Copied name="Switch port" text={delivery.switchPort} />}
          <Fact name="Configuration">{names.configuration(delivery.configId)}</Fact>
          <Fact name="Region">{names.region(delivery.regionId)}</Fact>
          <Copied name="System" text={names.operatingSystem(delivery.osId)} />
          <Copied name="Hostname" text={delivery.hostname} isWide />
          {sshPublicKey === null ? (
            <Fact name="SSH key">None</Fact>
          ) : (
            <Copied name="SSH key" text={sshPublicKey} isWide />
          )}
        </Facts>
        {problem !== null && (
          <Notice tone="warn" title="Address missing">
            <p>
              {problem} <TextLink to={deskRoutes.subnets}>Open subnets</TextLink>
            </p>
          </Notice>
        )}
        {addresses.map((address) => (
          <Address key={address.address} address={address} />
        ))}
        {addresses.length === 0 ? (
          problem === null && (
            <p className="text-sm text-quiet">
              {hasEnded
                ? "This server has no addresses now."
                : "Claim this item to reserve its addresses."}
            </p>
          )
        ) : (
          <Configuration text={networkText(delivery)} />
        )}
      </div>
    </Panel>
  );
}

/** "A1, unit 7". */
function rackText({ rack, unit }: Delivery): string | undefined {
  if (rack === null) return undefined;
  return unit === null ? rack : `${rack}, unit ${unit}`;
}

function Address({ address }: { readonly address: DeliveryAddress }) {
  const { family, prefixLength, gateway, vlan, subnet } = address;
  return (
    <section aria-label={`IPv${family}`} className="border-t border-line pt-5">
      <Facts>
        <Copied name={`IPv${family} address`} text={hostAddress(address)} isLong={family === 6} />
        <Copied name="Prefix" text={`/${prefixLength}`} />
        {gateway === null ? (
          <Fact name="Gateway">
            <Unset />
          </Fact>
        ) : (
          <Copied name="Gateway" text={gateway} />
        )}
        {vlan === null ? (
          <Fact name="VLAN">
            <Unset />
          </Fact>
        ) : (
          <Copied name="VLAN" text={`${vlan}`} />
        )}
        <Copied name="Subnet" text={subnet} isLong={family === 6} />
      </Facts>
    </section>
  );
}

function Unset() {
  return (
    <>
      Not set. <TextLink to={deskRoutes.subnets}>Set it</TextLink>
    </>
  );
}

function Configuration({ text }: { readonly text: string }): ReactNode {
  return (
    <section aria-label="Network configuration" className="border-t border-line pt-5">
      <div className="mb-2 flex flex-wrap items-center justify-between gap-2">
        <h3 className="text-sm text-quiet">Network configuration (systemd-networkd)</h3>
        <CopyButton text={text} what="configuration" />
      </div>
      <pre className="rounded-lg border border-line p-3 font-mono text-sm whitespace-pre-wrap wrap-anywhere">
        {text}
      </pre>
    </section>
  );
}

function Copied({
  name,
  text,
  isWide = false,
  isLong = false,
}: {
  readonly name: string;
  readonly text: string;
  readonly isWide?: boolean;
  readonly isLong?: boolean;
}) {
  return (
    <Fact name={name} isWide={isWide} isLong={isLong}>
      <CopyValue text={text} what={name} />
    </Fact>
  );
}
