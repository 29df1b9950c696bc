import type { ReadServerAnswer } from "@ironlease/client";
import { useState } from "react";
import { accountRoutes, urlOf } from "#app/urls.ts";
import { Menu } from "#ui/menu.tsx";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { IdText } from "#ui/id-text.tsx";
import { ActionDialog, type Requested } from "./action-dialog.tsx";
import { actionOrder, actions } from "./actions.ts";
import { allowedIn, type ServerAction } from "./allowed-actions.ts";

/** The hardware requests as a menu. Those that the state does not allow say so. */
export function ServerActions({
  server,
  onRequested,
}: {
  readonly server: ReadServerAnswer;
  readonly onRequested: (requested: Requested) => void;
}) {
  const [openAction, setOpenAction] = useState<ServerAction>();
  const problem =
    server.state === "PROVISIONING" ? "Available once delivered" : "Not possible in this state";
  return (
    <>
      <Menu
        label="Actions"
        actions={actionOrder.map((action) => ({
          label: actions[action].label,
          problem: allowedIn[action].includes(server.state) ? undefined : problem,
          isDangerous: actions[action].danger === "typed",
          startsGroup: actions[action].danger === "typed",
          onChoose: () => setOpenAction(action),
        }))}
      />
      {openAction !== undefined && (
        <ActionDialog
          server={server}
          action={openAction}
          onClose={() => setOpenAction(undefined)}
          onQueued={(requested) => {
            setOpenAction(undefined);
            onRequested(requested);
          }}
        />
      )}
    </>
  );
}

/** Says what was requested, and where its outcome appears. Nothing of it is kept. */
export function RequestedNotice({
  serverId,
  requested: { id, label },
}: {
  readonly serverId: string;
  readonly requested: Requested;
}) {
  return (
    <Notice tone="info" isAnnounced title={`${label} requested`}>
      <p>
        An operator carries it out and reports the outcome in{" "}
        <TextLink to={urlOf(accountRoutes.server, { id: serverId })} search={{ tab: "messages" }}>
          this server&apos;s messages
        </TextLink>
        . Request id: <IdText id={id} what="request id" />
      </p>
    </Notice>
  );
}
