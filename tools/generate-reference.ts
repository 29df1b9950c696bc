import { existsSync, readFileSync, writeFileSync } from "node:fs";
import {
  brandSchemaFile,
  catalogueSchemaFile,
  dnsSchemaFile,
  settlementSchemaFile,
  configurationFile,
  errorsFile,
  openApiFile,
  type DocumentedSetting,
} from "@ironlease/reference";
import { defaultFor, settings, type Setting } from "#server/config.ts";
import { version } from "#server/version.ts";
import { cliReference } from "./cli-reference.ts";
import { clientFiles } from "./generate-client.ts";
import { ironleasedReference } from "./ironleased-reference.ts";
import { cliManual } from "./manual.ts";

/** Every generated file with the function that renders it. */
const generatedFiles: Readonly<Record<string, () => string>> = {
  "docs/reference/openapi.json": () => openApiFile(version, "account"),
  "docs/reference/operator-openapi.json": () => openApiFile(version, "operator"),
  "docs/reference/errors.md": errorsFile,
  "docs/reference/configuration.md": () => configurationFile(documentedSettings()),
  "docs/reference/catalogue.schema.json": catalogueSchemaFile,
  "docs/reference/settlement.schema.json": settlementSchemaFile,
  "docs/reference/brand.schema.json": brandSchemaFile,
  "docs/reference/dns.schema.json": dnsSchemaFile,
  "docs/reference/cli.md": cliReference,
  "packages/cli/man/ironlease.1": cliManual,
  "docs/reference/ironleased.md": ironleasedReference,
  ...clientFiles,
};

const repository = new URL("../", import.meta.url);

function documentedSettings(): readonly DocumentedSetting[] {
  return Object.values<Setting<unknown>>(settings).map((setting) => ({
    name: setting.name,
    meaning: setting.meaning,
    isSecret: setting.secret === true,
    previewDefault: defaultFor(setting, "preview"),
    serveDefault: defaultFor(setting, "serve"),
  }));
}

/** Writes the files that differ, unless this is only a check. Returns their paths. */
function generate(isCheck: boolean): readonly string[] {
  const different = Object.entries(generatedFiles).flatMap(([path, make]) => {
    const file = new URL(path, repository);
    const text = make();
    return existsSync(file) && readFileSync(file, "utf8") === text ? [] : [{ path, file, text }];
  });
  if (!isCheck) for (const { file, text } of different) writeFileSync(file, text);
  return different.map(({ path }) => path);
}

const isCheck = process.argv.includes("--check");
const different = generate(isCheck);
for (const path of different) {
  if (isCheck) console.error(`${path} differs from the code: run npm run generate.`);
  else console.log(`Wrote ${path}.`);
}
if (isCheck && different.length > 0) process.exitCode = 1;
