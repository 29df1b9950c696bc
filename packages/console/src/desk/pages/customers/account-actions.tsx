import type { InspectAccountAnswer } from "@ironlease/client/operator";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Button } from "#ui/button.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { useMay } from "#desk/data/use-permissions.ts";
import { ReasonDialog } from "#desk/shared/reason-dialog.tsx";
import { AdjustDialog } from "./adjust-dialog.tsx";

/** What an operator may do to the account as such; each only for a role that may. */
export function AccountActions({ account }: { readonly account: InspectAccountAnswer }) {
  const { may } = useMay();
  const [open, setOpen] = useState<"adjust" | "freeze">();
  const close = () => setOpen(undefined);
  return (
    <>
      {may("adjustBalance") && <Button onClick={() => setOpen("adjust")}>Adjust balance</Button>}
      {may("freezeAccount") && (
        <Button onClick={() => setOpen("freeze")}>{account.frozen ? "Unfreeze" : "Freeze"}</Button>
      )}
      {open === "adjust" && <AdjustDialog account={account} onClose={close} />}
      {open === "freeze" && <FreezeDialog account={account} onClose={close} />}
    </>
  );
}

function FreezeDialog({
  account: { id, username, frozen },
  onClose,
}: {
  readonly account: InspectAccountAnswer;
  readonly onClose: () => void;
}) {
  const change = useChange(frozen ? client.unfreezeAccount : client.freezeAccount, [keys.accounts]);
  return (
    <ReasonDialog
      title={frozen ? `Unfreeze ${username}?` : `Freeze ${username}?`}
      description={
        frozen
          ? "Its changes are accepted again."
          : "It can still sign in and read. Its changes are refused; its servers run on and renew."
      }
      doIt={frozen ? "Unfreeze account" : "Freeze account"}
      isShownToCustomer={!frozen}
      isDangerous={!frozen}
      isPending={change.isPending}
      error={change.error}
      onConfirm={(reason) => change.mutate({ id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
