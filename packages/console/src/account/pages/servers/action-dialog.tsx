import type { ReadServerAnswer, RequestActionRequest } from "@ironlease/client";
import { useState } from "react";
import { useOnce } from "#data/use-once.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { TextField } from "#ui/field.tsx";
import { UnsettledNotice } from "#ui/unsettled-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { actions } from "./actions.ts";
import type { ServerAction } from "./allowed-actions.ts";
import type { Receipt } from "./receipts.ts";

/** Asks, as the danger demands, and sends the request once. */
export function ActionDialog({
  server,
  action,
  onQueued,
  onClose,
}: {
  readonly server: ReadServerAnswer;
  readonly action: ServerAction;
  readonly onQueued: (receipt: Receipt) => void;
  readonly onClose: () => void;
}) {
  const { id } = server;
  const name = server.hostname ?? id;
  const { label, question, warning, doIt, danger } = actions[action];
  const [isoUrl, setIsoUrl] = useState("");
  const request = useOnce(
    `action/${id}/${action}`,
    async (fields: RequestActionRequest, options) => {
      const queued = await client.requestAction(fields, options);
      onQueued({ id: queued.id, label, at: new Date().toISOString() });
      return queued;
    },
    [reads.servers.queryKey],
  );
  const { unsettled } = request;
  const send = () =>
    request.mutate(action === "mount_iso" ? { id, action, isoUrl: isoUrl.trim() } : { id, action });
  return (
    <ConfirmDialog
      isOpen
      title={question}
      description={
        <>
          <p>
            For <span className="font-medium text-text">{name}</span>. {warning}
          </p>
          <p>An operator carries it out. This page cannot show when that has been done.</p>
        </>
      }
      doIt={doIt}
      isDangerous={danger !== "plain"}
      isPending={request.isPending}
      isBlocked={unsettled !== undefined || (action === "mount_iso" && isoUrl.trim() === "")}
      typed={danger === "typed" ? { label: "host name", text: name } : undefined}
      error={unsettled === undefined ? request.error : null}
      onConfirm={send}
      onClose={onClose}
    >
      {unsettled !== undefined && (
        <UnsettledNotice
          what={`A request (${label.toLowerCase()})`}
          at={unsettled.at}
          isPending={request.isPending}
          onResend={() => request.mutate(unsettled.request)}
          onGiveUp={request.giveUp}
        />
      )}
      {action === "mount_iso" && (
        <TextField
          name="isoUrl"
          label="Address of the image"
          hint="A public HTTPS address without credentials."
          placeholder="https://"
          type="url"
          value={isoUrl}
          onChange={setIsoUrl}
          autoComplete="off"
        />
      )}
    </ConfirmDialog>
  );
}
