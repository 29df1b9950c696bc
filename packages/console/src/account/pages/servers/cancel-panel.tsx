import type { CancelServerRequest, ReadServerAnswer } from "@ironlease/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { accountRoutes } from "#app/urls.ts";
import { useIdempotentChange } from "#data/use-idempotent-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { moneyText } from "#ui/money-text.ts";
import { Panel } from "#ui/panel.tsx";
import { UnansweredNotice } from "#ui/unanswered-notice.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";

/** Cancels a server before its delivery. */
export function CancelPanel({ server: { id, priceUsd } }: { readonly server: ReadServerAnswer }) {
  const [isOpen, setIsOpen] = useState(false);
  const navigate = useNavigate();
  const cancel = useIdempotentChange(
    `cancel/${id}`,
    async (request: CancelServerRequest, options) => {
      const cancelled = await client.cancelServer(request, options);
      toast("Server cancelled");
      void navigate({ to: accountRoutes.servers, replace: true });
      return cancelled;
    },
    [reads.servers.queryKey, reads.account.queryKey, reads.ledger.queryKey],
  );
  const { unanswered } = cancel;
  const price = moneyText(priceUsd);
  return (
    <Panel title="Cancel" description="Possible until an operator starts to deliver the server.">
      <Button onClick={() => setIsOpen(true)}>Cancel server</Button>
      <ConfirmDialog
        isOpen={isOpen}
        title="Cancel this server?"
        description={
          <p>The server is not delivered, and {price} returns to your balance at once.</p>
        }
        confirmLabel="Cancel server"
        isDangerous
        isPending={cancel.isPending}
        isBlocked={unanswered !== undefined}
        error={unanswered === undefined ? cancel.error : null}
        onConfirm={() => cancel.mutate({ id })}
        onClose={() => setIsOpen(false)}
      >
        {unanswered !== undefined && (
          <UnansweredNotice
            what="Your cancellation"
            at={unanswered.at}
            isPending={cancel.isPending}
            onRetry={() => cancel.mutate(unanswered.request)}
            onDiscard={cancel.discard}
          />
        )}
      </ConfirmDialog>
    </Panel>
  );
}
