import type { Core } from "#kernel/core.ts";

/** The id of the account with that id or username. A username may look like an id, so the id counts first. */
export async function findAccountId({ db }: Core, name: string): Promise<string | undefined> {
  const accounts = db.read.selectFrom("accounts").select("id");
  const found =
    (await accounts.where("id", "=", name).executeTakeFirst()) ??
    (await accounts.where("username", "=", name.toLowerCase()).executeTakeFirst());
  return found?.id;
}
