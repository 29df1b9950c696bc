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

/** What can be asked of the hardware. */
export function ActionsPanel({ server }: { readonly server: ReadServerAnswer }) {
  const [asked, setAsked] = useState<ServerAction>();
  const [queued, setQueued] = useState<Receipt>();
  const { receipts, add } = useReceipts(server.id);
  return (
    <Panel title="Actions" description="Each is a request that an operator carries out by hand.">
      <div className="flex flex-col gap-5">
        {queued !== undefined && (
          <Notice tone="info" isNews title={`${queued.label}: queued`}>
            <p>
              Recorded as <code className="font-mono break-all">{queued.id}</code>. Queued is not
              done; ask the operator when you need to know.
            </p>
          </Notice>
        )}
        <ul className="grid gap-x-8 2xl:grid-cols-2">
          {actionOrder.map((action) => (
            <ActionLine
              key={action}
              action={action}
              isAllowed={allowedIn[action].includes(server.state)}
              onAsk={() => setAsked(action)}
            />
          ))}
        </ul>
        {!allowedIn.reboot.includes(server.state) && (
          <p className="text-sm text-quiet">
            {server.state === "PROVISIONING"
              ? "The hardware takes requests once the server is delivered."
              : "In its present state the server takes no requests."}
          </p>
        )}
        {receipts.length > 0 && <Receipts receipts={receipts} />}
      </div>
      {asked !== undefined && (
        <ActionDialog
          server={server}
          action={asked}
          onClose={() => setAsked(undefined)}
          onQueued={(receipt) => {
            setAsked(undefined);
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
  onAsk,
}: {
  readonly action: ServerAction;
  readonly isAllowed: boolean;
  readonly onAsk: () => void;
}) {
  const { label, summary, danger } = actions[action];
  return (
    <li className="flex items-center justify-between gap-4 border-b border-line py-3">
      <span className="flex min-w-0 flex-col text-sm">
        <span className={danger === "typed" ? "font-medium text-bad" : "font-medium"}>{label}</span>
        <span className="text-quiet">{summary}</span>
      </span>
      <Button size="small" disabled={!isAllowed} onClick={onAsk}>
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
              recorded <Time at={at} />
            </span>
            <code className="font-mono text-xs/5.5 break-all text-quiet">{id}</code>
          </li>
        ))}
      </ul>
    </div>
  );
}
