import { existsSync, readFileSync, writeFileSync } from "node:fs";
import {
  catalogueDocument,
  errors,
  operations,
  type ErrorCode,
  type Operation,
} from "@ironlease/contract";
import { openApiDocument, operationsAnswering, plainSchema } from "@ironlease/reference";
import { defaultFor, settings, type Setting } from "#server/config.ts";
import { version } from "#server/version.ts";
import { cliReference } from "./cli-reference.ts";
import { clientFiles } from "./generate-client.ts";
import { notice, page, table } from "./markdown.ts";

/** Every file that is made from a table in the code. Another one is another entry here. */
const generatedFiles: Readonly<Record<string, () => string>> = {
  "docs/reference/openapi.json": () => openApiFile("account"),
  "docs/reference/operator-openapi.json": () => openApiFile("operator"),
  "docs/reference/errors.md": errorsFile,
  "docs/reference/configuration.md": configurationFile,
  "docs/reference/catalogue.schema.json": catalogueSchemaFile,
  "docs/reference/cli.md": cliReference,
  ...clientFiles,
};

const repository = new URL("../", import.meta.url);

/** JSON has no comments, so the notice is the document's first member, on its first line. */
function openApiFile(listener: Operation["listener"]): string {
  const document = openApiDocument(version, operations, listener);
  const text = JSON.stringify({ "x-generated": notice, ...document }, null, 2);
  return `${text.replace("{\n  ", "{ ")}\n`;
}

function errorsFile(): string {
  const codes = Object.keys(errors) as ErrorCode[];
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  const sections = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, members]) => {
      const rows = members.map((code) => [`\`${code}\``, errors[code].message, answeredBy(code)]);
      return `## ${status}\n\n${table(["Code", "What to do", "Answered by"], rows)}`;
    });
  return page(
    "Errors",
    "Every error code that leaves the service. Its shape is `Error` in [openapi.json](openapi.json).",
    ...sections,
  );
}

/** The two listeners have their own kinds of operations, so each says its own. */
function answeredBy(code: ErrorCode): string {
  const sides = Map.groupBy(Object.entries<Operation>(operations), ([, { listener }]) => listener);
  const answers = [...sides].flatMap(([listener, members]) => {
    const answering = operationsAnswering(code, Object.fromEntries(members));
    if (answering.length === 0) return [];
    const text =
      typeof answering === "string"
        ? answering
        : answering.map(([, { method, path }]) => `\`${method} ${path}\``).join(", ");
    return [sides.size === 1 ? text : `${listener} side: ${text}`];
  });
  return answers.length === 0 ? "no operation so far" : answers.join("; ");
}

function configurationFile(): string {
  const rows = Object.values<Setting<unknown>>(settings).map((setting) => [
    `\`${setting.name}\``,
    shown(defaultFor(setting, "preview")),
    shown(defaultFor(setting, "serve")),
    setting.secret === true ? "yes" : "",
    setting.meaning,
  ]);
  return page(
    "Configuration",
    "Settings are environment variables. A name or a value that is not understood stops the start, " +
      "with a sentence that says what is wrong. `ironleased doctor` checks them without starting.",
    table(["Setting", "Default in preview", "Default in serve", "Secret", "Meaning"], rows),
  );
}

/** For editors: a catalogue whose `$schema` names this file is checked while it is being written. */
function catalogueSchemaFile(): string {
  const { properties, ...keywords } = plainSchema(catalogueDocument);
  const schema = {
    // The newest draft that editors know well; our keywords mean the same in all of them.
    $schema: "http://json-schema.org/draft-07/schema#",
    $comment: notice,
    title: "The catalogue, as `ironleased catalogue import` takes it",
    ...keywords,
    properties: { $schema: { type: "string" }, ...(properties as object) },
  };
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function shown(text: string | undefined): string {
  return text === undefined ? "none" : `\`${text}\``;
}

/** Writes what has changed, or only says so; either way the paths that differ. */
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
