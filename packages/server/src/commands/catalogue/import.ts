import type { CatalogueDocument } from "@ironlease/contract";
import { checkCatalogue } from "../../features/catalogue/check-catalogue.ts";
import { saveCatalogue } from "../../features/catalogue/save-catalogue.ts";
import type { Core } from "../../kernel/core.ts";
import { readImportFile, refuseImport } from "../import-files/import-file.ts";
import { readLocatedJson } from "../import-files/located-json.ts";
import { commandLine, withDatabase, type Environment, type Print } from "../with-database.ts";

/**
 * Puts the catalogue in a file in force, or says which of its lines are wrong and changes nothing.
 * `args` is what follows `catalogue import`. Exit code 1 when the file is refused, 2 when the command
 * line is not understood.
 */
export async function catalogueImport(
  args: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const [file, ...rest] = args;
  if (file === undefined || rest.length > 0) {
    print("Usage: ironleased catalogue import FILE");
    return 2;
  }
  const source = readImportFile(file);
  if (!source.ok) return refuseImport([source.problem], print);
  const read = readCatalogueFile(source.name, source.text);
  if ("problems" in read) return refuseImport(read.problems, print);
  return withDatabase(env, print, "make", (core) => save(core, source.name, read.document, print));
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
  print: Print,
): Promise<number> {
  const saved = await saveCatalogue(core, systemCall, document);
  if (!saved.ok) throw new Error(`the catalogue was refused with ${saved.refusal.code}`);
  const { version, isChanged } = saved.value;
  const { configurations, regions, operatingSystems, discounts } = document;
  const offers = configurations.reduce(
    (count, configuration) => count + configuration.offers.length,
    0,
  );
  print(
    isChanged
      ? `Imported ${file}: version ${version} of the catalogue is in force.`
      : `Nothing changed: ${file} is in force already, as version ${version} of the catalogue.`,
  );
  print(`  configurations      ${configurations.length}, with ${offers} offers`);
  print(`  regions             ${regions.length}`);
  print(`  operating systems   ${operatingSystems.length}`);
  print(`  discounts           ${discounts.length}`);
  return 0;
}
