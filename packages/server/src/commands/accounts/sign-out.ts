import { endAccess } from "../../features/customers/end-access.ts";
import { changing, said, type Command } from "../change-by-name.ts";

/** Signs a customer out everywhere. */
export const accountSignOut: Command = changing("account sign-out", async (core, name) =>
  said(await endAccess(core, name), ({ username }) => [
    `${username} is signed out everywhere, and every API key of it has ended.`,
    "The password is as it was: to stop changes until it is replaced, freeze the account at the desk.",
  ]),
);
