import { limits, type CatalogueDocument } from "@ironlease/contract";
import type { Core } from "#kernel/core.ts";

export interface VersionRecord {
  readonly version: number;
  readonly savedAt: number;
  /** The operator's name. Null for a command on the server, and for versions from before they were kept. */
  readonly savedBy: string | null;
}

function versions({ db }: Core) {
  return db.read
    .selectFrom("catalogue_versions as v")
    .leftJoin("operators as o", "o.id", "v.saved_by")
    .select(["v.version", "v.saved_at as savedAt", "o.username as savedBy"]);
}

/** A page of saved versions, newest first. */
export function listVersions(core: Core, before: number): Promise<readonly VersionRecord[]> {
  return versions(core)
    .where("v.version", "<", before)
    .orderBy("v.version", "desc")
    .limit(limits.listLength)
    .execute();
}

export async function readVersion(
  core: Core,
  version: number,
): Promise<(VersionRecord & { readonly document: CatalogueDocument }) | undefined> {
  const row = await versions(core)
    .select("v.document")
    .where("v.version", "=", version)
    .executeTakeFirst();
  return row && { ...row, document: JSON.parse(row.document) as CatalogueDocument };
}
