import { editCatalogue } from "#features/catalogue/edit-catalogue.ts";
import { readCatalogueDocument } from "#features/catalogue/read-catalogue-document.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Catalogue = "readCatalogueDocument" | "replaceCatalogue";

export function operatorCatalogueHandlers(core: Core): Handlers<Catalogue> {
  return {
    readCatalogueDocument: async () => {
      const { document, etag } = await readCatalogueDocument(core);
      return ok({ status: 200, body: document, etag });
    },
    replaceCatalogue: async ({ core, caller, body, ifMatch }) => {
      const result = await editCatalogue(core, caller, body, ifMatch);
      if (!result.ok) return result;
      const { document, etag } = result.value;
      return ok({ status: 200, body: document, etag });
    },
  };
}
