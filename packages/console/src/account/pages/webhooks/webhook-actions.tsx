import type { Webhook } from "@ironlease/client";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { accountRoutes } from "#app/urls.ts";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { toast } from "#ui/toast.tsx";
import { client } from "#account/data/client.ts";
import { reads } from "#account/data/reads.ts";
import { WebhookSecretDialog } from "./secret-dialog.tsx";

export function WebhookActions({ webhook: { id } }: { readonly webhook: Webhook }) {
  const [open, setOpen] = useState<"rotate" | "delete">();
  const close = () => setOpen(undefined);
  return (
    <>
      <Button onClick={() => setOpen("rotate")}>Replace secret</Button>
      <Button onClick={() => setOpen("delete")}>Delete</Button>
      {open === "rotate" && <RotateDialog id={id} onClose={close} />}
      {open === "delete" && <DeleteDialog id={id} onClose={close} />}
    </>
  );
}

interface DialogProps {
  readonly id: string;
  readonly onClose: () => void;
}

function RotateDialog({ id, onClose }: DialogProps) {
  const rotate = useChange(client.rotateWebhookSecret);
  if (rotate.data !== undefined) {
    return (
      <WebhookSecretDialog title="Secret replaced" secret={rotate.data.secret} onClose={onClose} />
    );
  }
  return (
    <ConfirmDialog
      isOpen
      title="Replace the secret?"
      description={
        <p>
          Messages are signed with both secrets for 24 hours. Update your receiver within that time.
        </p>
      }
      confirmLabel="Replace secret"
      isPending={rotate.isPending}
      error={rotate.error}
      onConfirm={() => rotate.mutate({ id })}
      onClose={onClose}
    />
  );
}

function DeleteDialog({ id, onClose }: DialogProps) {
  const navigate = useNavigate();
  const remove = useChange(client.deleteWebhook, [reads.webhooks.queryKey]);
  return (
    <ConfirmDialog
      isOpen
      title="Delete this webhook?"
      description={<p>Deliveries stop and their log is deleted. This cannot be undone.</p>}
      confirmLabel="Delete webhook"
      isDangerous
      isPending={remove.isPending}
      error={remove.error}
      onConfirm={() =>
        remove.mutate(
          { id },
          {
            onSuccess: () => {
              toast("Webhook deleted");
              void navigate({ to: accountRoutes.webhooks });
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
