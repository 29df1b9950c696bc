import type { ReadServerAnswer } from "@ironlease/client";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { Panel } from "#ui/panel.tsx";
import { Time } from "#ui/time.tsx";
import { ActionDialog } from "./action-dialog.tsx";
import { actionOrder, actions } from "./actions.ts";
import { allowedIn, type ServerAction } from "./allowed-actions.ts";
import { useReceipts, type Receipt } from "./receipts.ts";

/** Hardware requests. */
export function ActionsPanel({ server }: { readonly server: ReadServerAnswer }) {
  const [openAction, setOpenAction] = useState<ServerAction>();
  const [queued, setQueued] = useState<Receipt>();
  const { receipts, add } = useReceipts(server.id);
  return (
    <Panel title="Actions" description="Requests that an operator carries out">
      <div className="flex flex-col gap-5">
        {queued !== undefined && (
          <Notice tone="info" isAnnounced title={`${queued.label} requested`}>
            <p>
              An operator will carry it out. Request id:{" "}
              <code className="font-mono break-all">{queued.id}</code>
            </p>
          </Notice>
        )}
        <ul className="grid gap-x-8 2xl:grid-cols-2">
          {actionOrder.map((action) => (
            <ActionLine
              key={action}
              action={action}
              isAllowed={allowedIn[action].includes(server.state)}
              onRequest={() => setOpenAction(action)}
            />
          ))}
        </ul>
        {!allowedIn.reboot.includes(server.state) && (
          <p className="text-sm text-quiet">
            {server.state === "PROVISIONING"
              ? "Available once the server is delivered."
              : "Not available in the server's current state."}
          </p>
        )}
        {receipts.length > 0 && <Receipts receipts={receipts} />}
      </div>
      {openAction !== undefined && (
        <ActionDialog
          server={server}
          action={openAction}
          onClose={() => setOpenAction(undefined)}
          onQueued={(receipt) => {
            setOpenAction(undefined);
            setQueued(receipt);
            add(receipt);
          }}
        />
      )}
    </Panel>
  );
}

function ActionLine({
  action,
  isAllowed,
  onRequest,
}: {
  readonly action: ServerAction;
  readonly isAllowed: boolean;
  readonly onRequest: () => void;
}) {
  const { label, summary, danger } = actions[action];
  return (
    <li className="flex items-center justify-between gap-4 border-b border-line py-3">
      <span className="flex min-w-0 flex-col text-sm">
        <span className={danger === "typed" ? "font-medium text-bad" : "font-medium"}>{label}</span>
        <span className="text-quiet">{summary}</span>
      </span>
      <Button size="small" disabled={!isAllowed} onClick={onRequest}>
        Request<span className="sr-only"> {label}</span>
      </Button>
    </li>
  );
}

function Receipts({ receipts }: { readonly receipts: readonly Receipt[] }) {
  return (
    <div className="flex flex-col gap-2">
      <h3 className="text-sm font-medium">Requested from this tab</h3>
      <ul className="flex flex-col gap-1 text-sm">
        {receipts.map(({ id, label, at }) => (
          <li key={id} className="flex flex-wrap gap-x-3">
            <span>{label}</span>
            <span className="text-quiet">
              <Time at={at} />
            </span>
            <code className="font-mono text-xs/5.5 break-all text-quiet">{id}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
