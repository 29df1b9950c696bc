import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { AccessFrame } from "#app/access-frame.tsx";
import { AddPasskeyDialog } from "#app/passkeys/add-passkey-dialog.tsx";
import { hasPasskeys } from "#app/passkeys/browser.ts";
import { Button } from "#ui/button.tsx";
import { KeyRound } from "#ui/icons.ts";
import { reads } from "#desk/data/reads.ts";
import { useOperatorSignOut } from "#desk/data/use-operator-sign-out.ts";
import { operatorPasskeys } from "./operator-passkeys.ts";
import { OperatorSetup } from "./operator-setup.tsx";

/** Blocks the desk until a required second factor is set up. */
export function SecondFactorGate({ children }: { readonly children: ReactNode }) {
  const { data: operator } = useQuery(reads.operator);
  const queries = useQueryClient();
  const signOut = useOperatorSignOut();
  // Stays until the operator has saved the recovery codes.
  const [isSettingUp, setIsSettingUp] = useState(false);
  if (operator?.secondFactor === "required" && !isSettingUp) setIsSettingUp(true);
  const [isAdding, setIsAdding] = useState(false);
  const finish = () => {
    void queries.query({ ...reads.operator, staleTime: 0 }).then(() => {
      setIsSettingUp(false);
      return queries.invalidateQueries();
    });
  };
  if (!isSettingUp) return children;
  return (
    <AccessFrame
      title="Set up your second factor"
      brandSuffix="desk"
      lead="The desk requires a second factor. Set it up to continue."
      footer={
        <Button size="small" variant="quiet" onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      }
    >
      <OperatorSetup onDone={finish} />
      {hasPasskeys() && (
        <Button
          icon={<KeyRound aria-hidden className="size-4" />}
          onClick={() => setIsAdding(true)}
        >
          Use a passkey instead
        </Button>
      )}
      {isAdding && (
        <AddPasskeyDialog
          source={operatorPasskeys}
          onAdded={finish}
          onClose={() => setIsAdding(false)}
        />
      )}
    </AccessFrame>
  );
}
