import type { Core } from "#kernel/core.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { etagOf, readIfMatch } from "./if-match.ts";
import type { VersionedCatalogue } from "./read-catalogue-document.ts";
import { saveCatalogue } from "./save-catalogue.ts";

/**
 * Replaces the catalogue. With `ifMatch`, only if the operator edited the current version. An identical document
 * changes nothing and keeps its etag.
 */
export async function editCatalogue(
  core: Core,
  call: OperatorCall,
  document: unknown,
  ifMatch: string | undefined,
): Promise<Result<VersionedCatalogue>> {
  const versions = ifMatch === undefined ? undefined : readIfMatch(ifMatch);
  if (versions?.ok === false) return refuseField("if-match", versions.message);
  if (versions?.value?.length === 0) return refuse("conflict", { message: unknownEtag });
  const saved = await saveCatalogue(core, call, document, versions?.value);
  if (!saved.ok) return saved;
  return ok({ document: saved.value.document, etag: etagOf(saved.value.version) });
}

const unknownEtag =
  "The etag in if-match is not a version of the catalogue, or is weak. Read the catalogue again and send its etag unchanged.";
