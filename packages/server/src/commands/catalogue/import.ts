import type { CatalogueDocument } from "@ironlease/contract";
import { checkCatalogue } from "#features/catalogue/check-catalogue.ts";
import { saveCatalogue } from "#features/catalogue/save-catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { readImportFile, refuseImport, type FileCall } from "#commands/import-files/import-file.ts";
import { readLocatedJson } from "#kernel/located-json.ts";
import { withDatabase } from "#commands/with-database.ts";
import { systemCall } from "#kernel/call.ts";

/**
 * Imports a catalogue from a file, or names the lines that are wrong and changes nothing. Exit code 1 if
 * the file is refused.
 */
export async function importCatalogue({ args, env, print, data }: FileCall): Promise<number> {
  const source = readImportFile(args.file);
  if (!source.ok) return refuseImport([source.problem], print);
  const read = readCatalogueFile(source.name, source.text);
  if ("problems" in read) return refuseImport(read.problems, print);
  return withDatabase(env, print, "create", (core) =>
    save(core, source.name, read.document, { print, data }),
  );
}

type ReadFile = { readonly document: CatalogueDocument } | { readonly problems: readonly string[] };

function readCatalogueFile(file: string, text: string): ReadFile {
  const json = readLocatedJson(text);
  if (!json.ok) return { problems: [`${file}:${json.line}: ${json.message}`] };
  const checked = checkCatalogue(json.value);
  if (checked.ok) return { document: checked.document };
  const problems = checked.faults
    .map(({ path, message }) => ({
      line: json.lineOf(path),
      text: `${path.join(".") || "the document"} ${message}`,
    }))
    .toSorted((a, b) => a.line - b.line)
    .map(({ line, text }) => `${file}:${line}: ${text}`);
  return { problems };
}

async function save(
  core: Core,
  file: string,
  document: CatalogueDocument,
  { print, data }: Pick<FileCall, "print" | "data">,
): Promise<number> {
  const saved = await saveCatalogue(core, systemCall, document);
  if (!saved.ok) throw new Error(`The catalogue was refused: ${saved.refusal.code}.`);
  const { version, isChanged } = saved.value;
  const { configurations, regions, operatingSystems, discounts } = document;
  const offers = configurations.reduce(
    (count, configuration) => count + configuration.offers.length,
    0,
  );
  data({
    version,
    isChanged,
    configurations: configurations.length,
    offers,
    regions: regions.length,
    operatingSystems: operatingSystems.length,
    discounts: discounts.length,
  });
  print(
    isChanged
      ? `Imported ${file} as catalogue version ${version}.`
      : `No changes: ${file} is already the current catalogue, version ${version}.`,
  );
  print(`  configurations      ${configurations.length} (${offers} offers)`);
  print(`  regions             ${regions.length}`);
  print(`  operating systems   ${operatingSystems.length}`);
  print(`  discounts           ${discounts.length}`);
  return 0;
}
