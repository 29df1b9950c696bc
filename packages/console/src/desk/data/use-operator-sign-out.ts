import { deskRoutes } from "#app/urls.ts";
import { useSignOut } from "#app/use-sign-out.ts";
import { client } from "./client.ts";

export function useOperatorSignOut() {
  return useSignOut(() => client.signOutOperator(), deskRoutes.signIn);
}
