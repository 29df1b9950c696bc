import type { ReadServerAnswer, RequestActionRequest } from "@ironlease/client";
import { useState } from "react";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { TextField } from "#ui/field.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { actions } from "./actions.ts";
import type { ServerAction } from "./allowed-actions.ts";

/** A request that the service has recorded. */
export interface Requested {
  readonly id: string;
  readonly label: string;
}

/** Asks for confirmation and sends the request once. */
export function ActionDialog({
  server,
  action,
  onQueued,
  onClose,
}: {
  readonly server: ReadServerAnswer;
  readonly action: ServerAction;
  readonly onQueued: (requested: Requested) => void;
  readonly onClose: () => void;
}) {
  const { id } = server;
  const name = server.hostname ?? id;
  const nameOf = useServerNames([server]);
  const { label, question, warning, confirmLabel, danger } = actions[action];
  const [isoUrl, setIsoUrl] = useState("");
  const request = useIdempotentChange(
    `action/${id}/${action}`,
    async (fields: RequestActionRequest, options) => {
      const queued = await client.requestAction(fields, options);
      onQueued({ id: queued.id, label });
      return queued;
    },
    [reads.servers.queryKey],
  );
  const { unanswered } = request;
  const send = () =>
    request.mutate(action === "mount_iso" ? { id, action, isoUrl: isoUrl.trim() } : { id, action });
  return (
    <ConfirmDialog
      isOpen
      title={question}
      description={
        <>
          <p>
            For <span className="font-medium text-text">{nameOf(server)}</span>. {warning}
          </p>
          <p>An operator will carry it out and report the outcome in the server&apos;s messages.</p>
        </>
      }
      confirmLabel={confirmLabel}
      isDangerous={danger !== "plain"}
      isPending={request.isPending}
      isBlocked={unanswered !== undefined || (action === "mount_iso" && isoUrl.trim() === "")}
      typed={danger === "typed" ? { label: "hostname", text: name } : undefined}
      error={unanswered === undefined ? request.error : null}
      onConfirm={send}
      onClose={onClose}
    >
      {unanswered !== undefined && (
        <UnansweredNotice
          what={`Your request (${label})`}
          at={unanswered.at}
          isPending={request.isPending}
          onRetry={() => request.mutate(unanswered.request)}
          onDiscard={request.discard}
        />
      )}
      {action === "mount_iso" && (
        <TextField
          name="isoUrl"
          label="ISO URL"
          hint="A public HTTPS URL without credentials"
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
