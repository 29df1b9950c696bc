import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { limits, type CatalogueDocument } from "@ironlease/contract";
import { systemClock } from "../adapters/system/clock.ts";
import { createLog } from "../adapters/system/log.ts";
import { readConfig, type Config } from "../config.ts";
import { checkCatalogue } from "../features/catalogue/check-catalogue.ts";
import { saveCatalogue } from "../features/catalogue/save-catalogue.ts";
import { createCore, openDatabase } from "../main.ts";
import { migrations } from "../migrations/index.ts";
import type { Db } from "../ports/db.ts";
import { readLocatedJson } from "./located-json.ts";

type Environment = Readonly<Record<string, string | undefined>>;
type Print = (line: string) => void;

/** As many as somebody mends in one go. */
const maxShownFaults = 50;

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
  const read = readCatalogueFile(file);
  if ("problems" in read) {
    for (const problem of read.problems.slice(0, maxShownFaults)) print(problem);
    const hidden = read.problems.length - maxShownFaults;
    if (hidden > 0) print(`… and ${hidden} more.`);
    print("Nothing was imported.");
    return 1;
  }
  const config = readConfig("preview", env);
  const db = await openDatabase(config, createLog("silent"));
  try {
    return await save(db, config, file, read.document, print);
  } finally {
    await db.close();
  }
}

type ReadFile = { readonly document: CatalogueDocument } | { readonly problems: readonly string[] };

function readCatalogueFile(file: string): ReadFile {
  const bytes = readBounded(file);
  if (typeof bytes === "string") return { problems: [`${file}: ${bytes}`] };
  if (!isUtf8(bytes)) {
    return { problems: [`${file}:${firstBrokenLine(bytes)}: this is not valid UTF-8`] };
  }
  // The decoder leaves out the byte order mark with which some editors begin a file.
  const json = readLocatedJson(new TextDecoder().decode(bytes));
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

/** The file's bytes, or what stands in the way. */
function readBounded(file: string): Buffer | string {
  try {
    if (statSync(file).size > limits.operatorImportBytes) {
      return `it is larger than ${limits.operatorImportBytes / 1024 ** 2} MiB`;
    }
    return readFileSync(file);
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return "there is no such file";
    if (code === "EISDIR") return "it is a folder";
    if (code === "EACCES") return "it may not be read by this user";
    throw error;
  }
}

/** No character but the line break itself contains its byte, so each line can be judged alone. */
function firstBrokenLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf("\n", start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) return line;
    start = next;
  }
  return line;
}

async function save(
  db: Db,
  config: Config,
  file: string,
  document: CatalogueDocument,
  print: Print,
): Promise<number> {
  await db.migrate(migrations, systemClock.now());
  const saved = await saveCatalogue(createCore(config, db), commandLine, document);
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

const commandLine = { actor: "system", ipAddress: "" } as const;
