import type { Server } from "@ironlease/client/operator";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Money } from "#ui/money.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import { Table, type Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { ServerLink, ShortId } from "#desk/shared/links.tsx";
import { ServerStateBadge } from "#desk/shared/server-state.tsx";
import { SuspensionDialog } from "./suspension-dialog.tsx";

/** The servers of an account. Admins can suspend and resume them. */
export function ServersTable({ servers }: { readonly servers: readonly Server[] }) {
  const { can } = usePermissions();
  const [chosen, setChosen] = useState<Server>();
  return (
    <>
      <Table
        label="Servers"
        isDense
        columns={can("suspendServer") ? [...columns, actionColumn(setChosen)] : columns}
        rows={servers}
        keyOf={({ id }) => id}
      />
      {chosen !== undefined && (
        <SuspensionDialog server={chosen} onClose={() => setChosen(undefined)} />
      )}
    </>
  );
}

const columns: readonly Column<Server>[] = [
  {
    title: "Server",
    isHeading: true,
    isFreeText: true,
    cell: ({ id, label, hostname }) => (
      <span className="flex flex-col">
        <ServerLink id={id} name={hostname ?? "Not delivered"} />
        {label !== "" && <span className="text-xs wrap-anywhere text-quiet">“{label}”</span>}
        <ShortId id={id} />
      </span>
    ),
  },
  {
    title: "State",
    place: "corner",
    cell: ({ state, suspension }) => (
      <span className="flex flex-col items-start gap-1">
        <ServerStateBadge state={state} />
        {suspension !== undefined && (
          <span className="line-clamp-2 max-w-60 text-xs wrap-anywhere text-quiet card:max-w-32">
            {suspension.reason}
          </span>
        )}
      </span>
    ),
  },
  {
    title: "Configuration",
    place: "detail",
    cell: ({ configId, region, osId, machineId }) => (
      <span className="flex flex-col card:inline">
        <span className="whitespace-nowrap">
          {configId} · {region} · {osId}
        </span>
        <span className="text-xs card:hidden">
          <ShortId id={machineId} />
        </span>
      </span>
    ),
  },
  {
    title: "DDoS",
    place: "labelled",
    cell: ({ ddosMode, ddosRequestedMode, ddosUsd }) => (
      <span>
        {sentenceCase(ddosMode)}
        {ddosRequestedMode !== null && ` → ${sentenceCase(ddosRequestedMode)}`}
        {ddosUsd > 0 && (
          <span className="block text-xs text-quiet">
            <Money usd={ddosUsd} /> per term
          </span>
        )}
      </span>
    ),
  },
  {
    title: "Paid through",
    place: "labelled",
    cell: ({ paidThrough, autoRenew }) => (
      <span className="flex flex-col card:inline">
        {paidThrough === null ? "–" : <Time at={paidThrough} />}{" "}
        <span className="text-xs whitespace-nowrap text-quiet">
          {autoRenew ? "Renews automatically" : "No renewal"}
        </span>
      </span>
    ),
  },
  {
    title: "Price",
    isNumber: true,
    place: "detail",
    cell: ({ priceUsd, term }) => (
      <span className="whitespace-nowrap">
        <Money usd={priceUsd} />
        <span className="text-quiet"> / {term === "weekly" ? "week" : "month"}</span>
      </span>
    ),
  },
];

function actionColumn(onChoose: (server: Server) => void): Column<Server> {
  return {
    title: "Actions",
    isTitleHidden: true,
    isNumber: true,
    place: "end",
    cell: (server) => {
      const name = <span className="sr-only"> {server.hostname ?? server.id}</span>;
      if (server.state === "SUSPENDED") {
        return (
          <Button size="small" onClick={() => onChoose(server)}>
            Resume{name}
          </Button>
        );
      }
      if (server.state !== "ACTIVE" && server.state !== "GRACE") return null;
      return (
        <Button size="small" onClick={() => onChoose(server)}>
          Suspend{name}
        </Button>
      );
    },
  };
}
