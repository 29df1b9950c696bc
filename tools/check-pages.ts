import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { errors } from "@ironlease/contract";
import { nouns } from "./nouns.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const read = (page: string) => readFileSync(`${docs}/${page}`, "utf8");

/** The pages that docs/README.md does not link to. Decisions and methods of proof have indexes of their own. */
function checkIndex(): readonly string[] {
  const index = read("README.md");
  return globSync("{*.md,{guides,reference}/*.md}", { cwd: docs })
    .filter((page) => page !== "README.md" && !index.includes(`](${page})`))
    .map((page) => `docs/README.md does not link to ${page}`);
}

/** Each code has one heading with its status, and each heading is a code. */
function checkErrors(): readonly string[] {
  const wanted = Object.entries(errors).map(([code, { status }]) => `${status} \`${code}\``);
  const found = Array.from(read("troubleshooting.md").matchAll(/^### (.+)$/gm), ([, name]) => name);
  return compare("docs/troubleshooting.md", wanted, found);
}

function checkGlossary(): readonly string[] {
  const names = read("glossary.md").matchAll(/^\| [^|]+\| `([a-z-]+)` /gm);
  return compare(
    "docs/glossary.md",
    nouns,
    Array.from(names, ([, name]) => name),
  );
}

function compare(
  page: string,
  wanted: readonly string[],
  found: readonly (string | undefined)[],
): readonly string[] {
  return [
    ...wanted.filter((name) => !found.includes(name)).map((name) => `${page} has no ${name}`),
    ...found
      .filter((name, index) => !wanted.includes(name ?? "") || found.indexOf(name) !== index)
      .map((name) => `${page}: ${name} does not exist, or is there twice`),
  ];
}

const problems = [...checkIndex(), ...checkErrors(), ...checkGlossary()];
for (const problem of problems) console.error(problem);
if (problems.length > 0) process.exitCode = 1;
else console.log("The index, the glossary and the troubleshooting page are complete.");
