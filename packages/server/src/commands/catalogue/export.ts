import { readCatalogueDocument } from "#features/catalogue/read-catalogue-document.ts";
import type { Call } from "#commands/command.ts";
import { checkDataFolder, withDatabase } from "#commands/with-database.ts";

/** Prints the current catalogue in the format of the import. */
export function exportCatalogue({ env, print }: Call): Promise<number> {
  return withDatabase(env, print, checkDataFolder, async (core) => {
    const { document } = await readCatalogueDocument(core);
    print(JSON.stringify(document, undefined, 2));
    return 0;
  });
}
