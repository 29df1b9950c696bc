import { existsSync, globSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Links to files of the repository that a release does not have become plain text. */
export function removeOutwardLinks(folder: string): void {
  for (const page of globSync("**/*.md", { cwd: folder })) {
    const file = join(folder, page);
    const text = readFileSync(file, "utf8").replaceAll(
      /\[([^\]]+)\]\(([^)\s#]+)[^)\s]*\)/g,
      (link: string, label: string, path: string) =>
        /^[a-z]+:/.test(path) || existsSync(join(dirname(file), path)) ? link : label,
    );
    writeFileSync(file, text);
  }
}
