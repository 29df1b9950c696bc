import type { Assignment, Server } from "@ironlease/client";
import type { CatalogueNames } from "#data/catalogue-names.ts";
import { classNames } from "#ui/class-names.ts";
import { Money } from "#ui/money.tsx";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { renewalUsd } from "#account/shared/renewal-price.ts";
import { serverName } from "#account/shared/server-name.ts";
import { ServerStateBadge } from "#account/shared/server-states.tsx";
import { renewalCountdown } from "./renewal-countdown.ts";

/** Only in the table: a card has two lines. */
const secondLine = "block text-xs font-normal text-quiet card:hidden";

interface Selection {
  readonly has: (id: string) => boolean;
  readonly toggle: (server: Server) => void;
}

export function serverColumns(
  names: CatalogueNames,
  selection: Selection,
  now: number,
): readonly Column<Server>[] {
  return [
    {
      title: "Select",
      isTitleHidden: true,
      place: "select",
      cell: (server) => (
        <label className="-m-2 flex p-2">
          <input
            type="checkbox"
            aria-label={`Select ${serverName(server, names)}`}
            checked={selection.has(server.id)}
            className="size-4.5 accent-chosen"
            onChange={() => selection.toggle(server)}
          />
        </label>
      ),
    },
    nameColumn(names),
    {
      title: "Addresses",
      place: "detail",
      cell: ({ assignments = [] }) => <Addresses assignments={assignments} />,
    },
    specificationColumn(names),
    { title: "State", place: "corner", cell: ({ state }) => <ServerStateBadge state={state} /> },
    { title: "Renewal", place: "end", cell: (server) => <Renewal server={server} now={now} /> },
    {
      title: "Price",
      isNumber: true,
      cell: ({ term, ...server }) => (
        <span className="flex flex-col whitespace-nowrap">
          <Money usd={renewalUsd(server)} />
          <span className={secondLine}>per {term === "weekly" ? "week" : "month"}</span>
        </span>
      ),
    },
  ];
}

type Listed = Pick<Server, "id" | "label" | "hostname" | "configId" | "region" | "suspension">;

/** A terminated server has no page. */
export function nameColumn<Row extends Listed>(names: CatalogueNames, hasPage = true): Column<Row> {
  return {
    title: "Server",
    isHeading: true,
    isFreeText: true,
    cell: ({ id, label, hostname, configId, suspension }) => {
      const name = label || (hostname ?? names.configuration(configId));
      const awaited = hasPage ? "Hostname assigned at delivery" : "";
      const detail = label === "" && hostname !== null ? "" : (hostname ?? awaited);
      return (
        <span className="flex flex-col">
          {hasPage ? <TextLink to={urlOf(accountRoutes.server, { id })}>{name}</TextLink> : name}
          {detail !== "" && <span className={secondLine}>{detail}</span>}
          {suspension !== undefined && suspension.reason !== "" && (
            <span className="line-clamp-2 max-w-60 text-xs font-normal text-bad">
              {suspension.reason}
            </span>
          )}
        </span>
      );
    },
  };
}

export function specificationColumn<Row extends Listed>(names: CatalogueNames): Column<Row> {
  return {
    title: "Specification",
    cell: ({ configId, region }) => (
      <span className="flex flex-col">
        {names.configuration(configId)}
        <span className={classNames(secondLine, "whitespace-nowrap")}>{names.region(region)}</span>
      </span>
    ),
  };
}

function Addresses({ assignments }: { readonly assignments: readonly Assignment[] }) {
  const [ipv4, ipv6] = [4, 6].map((wanted) => assignments.find(({ family }) => family === wanted));
  const first = ipv4 ?? ipv6;
  if (first === undefined) return <span className="text-quiet">–</span>;
  return (
    <span className="flex flex-col font-mono text-xs">
      {first.address}
      {ipv4 !== undefined && ipv6 !== undefined && (
        <span className={secondLine}>
          {ipv6.address}/{ipv6.prefixLength}
        </span>
      )}
    </span>
  );
}

function Renewal({ server, now }: { readonly server: Server; readonly now: number }) {
  const { text, at, isUrgent } = renewalCountdown(server, now);
  return (
    <span className="flex flex-col whitespace-nowrap">
      <span className={isUrgent ? "figures font-medium text-warn" : "figures"}>{text}</span>
      {at !== null && (
        <span className={secondLine}>
          <Time at={at} isDay />
        </span>
      )}
    </span>
  );
}
