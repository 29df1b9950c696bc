import { editCatalogue } from "#features/catalogue/edit-catalogue.ts";
import {
  listVersions,
  readVersion,
  type VersionRecord,
} from "#features/catalogue/list-versions.ts";
import { readCatalogueDocument } from "#features/catalogue/read-catalogue-document.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";

type Catalogue =
  | "readCatalogueDocument"
  | "replaceCatalogue"
  | "listCatalogueVersions"
  | "readCatalogueVersion";

export function operatorCatalogueHandlers(core: Core): Handlers<Catalogue> {
  return {
    readCatalogueDocument: async () => {
      const { document, etag } = await readCatalogueDocument(core);
      return ok({ status: 200, body: document, etag });
    },
    listCatalogueVersions: async ({ query }) => {
      const before = query.before === undefined ? Number.MAX_SAFE_INTEGER : Number(query.before);
      const versions = (await listVersions(core, before)).map(versionOnWire);
      return ok({ status: 200, body: { versions } });
    },
    readCatalogueVersion: async ({ parameters: { version } }) => {
      const found = versionNumber.test(version) && (await readVersion(core, Number(version)));
      if (found === false || found === undefined) return refuse("not_found");
      return ok({ status: 200, body: { ...versionOnWire(found), document: found.document } });
    },
    replaceCatalogue: async ({ core, caller, body, ifMatch }) => {
      const result = await editCatalogue(core, caller, body, ifMatch);
      if (!result.ok) return result;
      const { document, etag } = result.value;
      return ok({ status: 200, body: document, etag });
    },
  };
}

const versionNumber = /^[1-9][0-9]{0,8}$/;

function versionOnWire({ version, savedAt, savedBy }: VersionRecord) {
  return { version, savedAt: isoTime(savedAt), savedBy };
}
