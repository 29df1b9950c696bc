import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useChange } from "#data/use-change.ts";
import { Badge } from "#ui/badge.tsx";
import { Button, LinkButton } from "#ui/button.tsx";
import { ConfirmDialog } from "#ui/confirm-dialog.tsx";
import { Panel } from "#ui/panel.tsx";
import { toast } from "#ui/toast.tsx";
import { ChangeError, isStaleSignIn } from "#app/second-factor/change-error.tsx";
import { accountRoutes } from "#app/urls.ts";
import { client } from "#account/data/client.ts";
import { useAccountSignOut } from "#account/data/use-account-sign-out.ts";
import { reads } from "#account/data/reads.ts";

export function SecondFactorPanel() {
  const account = useQuery(reads.account);
  const [isRemoving, setIsRemoving] = useState(false);
  const isOn = account.data?.secondFactor === "on";
  return (
    <Panel
      title={
        <span className="flex flex-wrap items-center gap-2">
          Second factor
          <Badge tone={isOn ? "good" : "plain"}>{isOn ? "On" : "Off"}</Badge>
        </span>
      }
      description="A code from an authenticator app, required with your password at every sign-in"
      actions={
        isOn ? (
          <Button onClick={() => setIsRemoving(true)}>
            Turn off<span className="sr-only"> the second factor</span>
          </Button>
        ) : (
          <LinkButton to={accountRoutes.secondFactor}>
            Set up<span className="sr-only"> the second factor</span>
          </LinkButton>
        )
      }
    >
      <p className="max-w-prose text-sm text-quiet">
        {isOn
          ? "Lost your device? Sign in with one of your recovery codes, turn the second factor off and set it up again."
          : "It protects your account even if someone learns your password."}
      </p>
      {isRemoving && <RemoveDialog onClose={() => setIsRemoving(false)} />}
    </Panel>
  );
}

function RemoveDialog({ onClose }: { readonly onClose: () => void }) {
  const remove = useChange(client.removeSecondFactor, [reads.account.queryKey]);
  const signOut = useAccountSignOut();
  const isStale = isStaleSignIn(remove.error);
  return (
    <ConfirmDialog
      isOpen
      title="Turn off the second factor?"
      description={<p>Your password is then enough to sign in. The recovery codes stop working.</p>}
      confirmLabel="Turn off"
      isDangerous
      isBlocked={isStale}
      isPending={remove.isPending}
      error={isStale ? null : remove.error}
      onConfirm={() =>
        remove.mutate(undefined, {
          onSuccess: () => {
            onClose();
            toast("Second factor turned off");
          },
        })
      }
      onClose={onClose}
    >
      {isStale && <ChangeError error={remove.error} onSignOut={() => signOut.mutate()} />}
    </ConfirmDialog>
  );
}
