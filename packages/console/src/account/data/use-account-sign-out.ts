import { accountRoutes } from "#app/urls.ts";
import { useSignOut } from "#app/use-sign-out.ts";
import { client } from "./client.ts";

export function useAccountSignOut() {
  return useSignOut(() => client.signOut(), accountRoutes.signIn);
}
