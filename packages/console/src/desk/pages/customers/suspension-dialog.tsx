import type { Server } from "@ironlease/client/operator";
import { useChange } from "#data/use-change.ts";
import { toast } from "#ui/toast.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { ReasonDialog } from "#desk/shared/reason-dialog.tsx";

/** Suspends a server, or resumes a suspended one. */
export function SuspensionDialog({
  server,
  onClose,
}: {
  readonly server: Server;
  readonly onClose: () => void;
}) {
  const isSuspended = server.state === "SUSPENDED";
  const change = useChange(isSuspended ? client.resumeServer : client.suspendServer, [
    keys.accounts,
    keys.overview,
    keys.work,
  ]);
  const name = server.hostname ?? server.id;
  return (
    <ReasonDialog
      title={isSuspended ? `Resume ${name}?` : `Suspend ${name}?`}
      description={
        isSuspended
          ? "The server becomes active again, or enters its grace period if it is not paid for. If the machine may be off, a reboot is queued."
          : "The customer cannot make requests for this server. Billing continues. An item to power off the machine is queued."
      }
      confirmLabel={isSuspended ? "Resume server" : "Suspend server"}
      isShownToCustomer={!isSuspended}
      isDangerous={!isSuspended}
      isPending={change.isPending}
      error={change.error}
      onConfirm={(reason) =>
        change.mutate(
          { id: server.id, reason },
          {
            onSuccess: () => {
              toast(isSuspended ? "Server resumed" : "Server suspended");
              onClose();
            },
          },
        )
      }
      onClose={onClose}
    />
  );
}
