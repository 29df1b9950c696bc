import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { selectEntries, type HashedEntry } from "./select-entries.ts";

export async function findEntry(
  core: Core,
  accountId: string,
  id: string,
): Promise<Result<HashedEntry>> {
  const entry = await selectEntries(core, accountId).where("id", "=", id).executeTakeFirst();
  return entry === undefined ? refuse("not_found") : ok(entry);
}
