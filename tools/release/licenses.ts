import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** The licenses of the libraries that these files belong to. Most of them must accompany copies of the library. */
export function licensesOf(repository: string, files: readonly string[]): string {
  const folders = new Set(files.flatMap((file) => libraryFolder(file) ?? []));
  return [...folders]
    .toSorted()
    .map((folder) => licenseOf(join(repository, folder)))
    .join(`\n${"-".repeat(80)}\n\n`);
}

/** The innermost package in node_modules that a file belongs to. */
function libraryFolder(file: string): string | undefined {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}

function licenseOf(folder: string): string {
  const { name, version, license } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as Readonly<Record<string, string>>;
  const file = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  const text = file === undefined ? "" : readFileSync(join(folder, file), "utf8").trim();
  return `${name} ${version} (${license})\n\n${text}\n`;
}
