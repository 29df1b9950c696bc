import { endAccess } from "#features/customers/end-access.ts";
import { changeByName, type NameCall } from "#commands/change-by-name.ts";

/** Ends every session and API key of a customer. */
export function signOutAccount(call: NameCall): Promise<number> {
  return changeByName(call, endAccess, ({ username }) => [
    `Signed ${username} out everywhere and revoked all API keys.`,
    "The password still works. To block changes as well, freeze the account at the desk.",
  ]);
}
