import { SecondFactorSetup } from "#app/second-factor/second-factor-setup.tsx";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { useOperatorSignOut } from "#desk/data/use-operator-sign-out.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";

/** Sets up the operator's second factor. */
export function OperatorSetup({ onDone }: { readonly onDone: () => void }) {
  const { username = "" } = usePermissions();
  const signOut = useOperatorSignOut();
  const requests = {
    begin: () => client.beginTotp(),
    confirm: client.confirmTotp,
    signOut: () => signOut.mutate(),
    changes: keys.operator,
    fileName: `ironlease-desk-codes-${username}.txt`,
  };
  return <SecondFactorSetup requests={requests} onDone={onDone} />;
}
