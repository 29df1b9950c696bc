import type { InspectAccountAnswer } from "@ironlease/client/operator";
import { useState } from "react";
import { deskRoutes } from "#app/urls.ts";
import { useChange } from "#data/use-change.ts";
import { Button, LinkButton } from "#ui/button.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";
import { ReasonDialog } from "#desk/shared/reason-dialog.tsx";
import { AdjustDialog } from "./adjust-dialog.tsx";

/** Account actions that the operator's role allows. */
export function AccountActions({ account }: { readonly account: InspectAccountAnswer }) {
  const { can } = usePermissions();
  const [open, setOpen] = useState<"adjust" | "freeze">();
  const close = () => setOpen(undefined);
  const isOpenAccount = account.closedAt === null;
  return (
    <>
      <LinkButton to={deskRoutes.work} search={{ account: account.id, state: "ALL" }}>
        Work
      </LinkButton>
      <LinkButton to={deskRoutes.messages} search={{ account: account.id }}>
        Messages
      </LinkButton>
      {isOpenAccount && (
        <LinkButton to={deskRoutes.newMessage} search={{ accountId: account.id }}>
          Write
        </LinkButton>
      )}
      {can("adjustBalance") && <Button onClick={() => setOpen("adjust")}>Adjust balance</Button>}
      {isOpenAccount && can("freezeAccount") && (
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
          ? "The customer can make changes again."
          : "The customer can sign in and view the account, but cannot make changes. Servers keep running and renewing."
      }
      confirmLabel={frozen ? "Unfreeze account" : "Freeze account"}
      isShownToCustomer={!frozen}
      isDangerous={!frozen}
      isPending={change.isPending}
      error={change.error}
      onConfirm={(reason) => change.mutate({ id, reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
