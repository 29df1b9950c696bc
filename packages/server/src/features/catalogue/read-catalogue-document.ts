import type { CatalogueDocument } from "@ironlease/contract";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { etagOf } from "./if-match.ts";

export interface VersionedCatalogue {
  readonly document: CatalogueDocument;
  readonly etag: string;
}

/** The catalogue as operators edit it. Empty until the first save. */
export async function readCatalogueDocument(core: Core): Promise<VersionedCatalogue> {
  const { document, version } = await currentCatalogue(core.db.read, core);
  return { document, etag: etagOf(version) };
}
