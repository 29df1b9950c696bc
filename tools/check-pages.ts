import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const docs = fileURLToPath(new URL("../docs", import.meta.url));

/** The pages that docs/README.md does not link to. Decisions and methods of proof have indexes of their own. */
function unlistedPages(): readonly string[] {
  const index = readFileSync(`${docs}/README.md`, "utf8");
  return globSync("{*.md,{guides,reference}/*.md}", { cwd: docs })
    .filter((page) => page !== "README.md" && !index.includes(`](${page})`))
    .toSorted();
}

if (import.meta.main) {
  const pages = unlistedPages();
  for (const page of pages) console.error(`docs/README.md does not link to ${page}: add a line.`);
  if (pages.length > 0) process.exitCode = 1;
  else console.log("docs/README.md links to every page.");
}
