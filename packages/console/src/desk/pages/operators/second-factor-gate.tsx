import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { AccessFrame } from "#app/access-frame.tsx";
import { Button } from "#ui/button.tsx";
import { reads } from "#desk/data/reads.ts";
import { useOperatorSignOut } from "#desk/data/use-operator-sign-out.ts";
import { SecondFactorSetup } from "./second-factor-setup.tsx";

/** Where a second factor is required, nothing else works before it is set up: so nothing is shown. */
export function SecondFactorGate({ children }: { readonly children: ReactNode }) {
  const { data: operator } = useQuery(reads.operator);
  const queries = useQueryClient();
  const signOut = useOperatorSignOut();
  // It stays until the codes are kept, although the service is content as soon as they exist.
  const [isSettingUp, setIsSettingUp] = useState(false);
  if (operator?.secondFactor === "required" && !isSettingUp) setIsSettingUp(true);
  if (!isSettingUp) return children;
  return (
    <AccessFrame
      title="Set up your second factor"
      brandSuffix="desk"
      lead="This desk asks for one. Nothing else can be done before."
      footer={
        <Button size="small" look="quiet" onClick={() => signOut.mutate()}>
          Sign out
        </Button>
      }
    >
      <SecondFactorSetup
        onDone={() => {
          void queries.query({ ...reads.operator, staleTime: 0 }).then(() => {
            setIsSettingUp(false);
            return queries.invalidateQueries();
          });
        }}
      />
    </AccessFrame>
  );
}
