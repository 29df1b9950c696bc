import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { discouragedWords } from "./discouraged-words.ts";
import { readableTexts, type TextKind } from "./readable-texts.ts";

/**
 * The files that must be free of discouraged words. To cover a folder of code, add its pattern, such as
 * "packages/console/src/**\/*.{ts,tsx}": its string literals, template texts, JSX text and comments are read.
 */
const covered: readonly string[] = [
  "{README,CHANGELOG,CONTRIBUTING,SECURITY}.md",
  "docs/*.md",
  "docs/{adr,guides,proof}/*.md",
  "packages/*/README.md",
];

const root = fileURLToPath(new URL("..", import.meta.url));
const exclude = ["**/node_modules/**", "**/dist/**", "**/generated/**"];

interface Finding {
  readonly line: number;
  readonly kind: TextKind;
  readonly found: string;
  readonly reason: string;
}

/** The discouraged words in a file, in the order of the file. */
export function findWords(path: string, source: string): readonly Finding[] {
  return readableTexts(path, source)
    .flatMap(({ kind, text, start }) =>
      discouragedWords.flatMap(({ pattern, reason }) =>
        Array.from(text.matchAll(pattern), ({ 0: found, index }) => ({
          at: start + index,
          kind,
          found: found.replaceAll(/[\s*]+/g, " "),
          reason,
        })),
      ),
    )
    .toSorted((one, other) => one.at - other.at)
    .map(({ at, ...finding }) => ({ line: source.slice(0, at).split("\n").length, ...finding }));
}

if (import.meta.main) {
  const given = process.argv.slice(2);
  const files = globSync(given.length > 0 ? given : [...covered], {
    cwd: root,
    exclude,
  }).toSorted();
  const findings = files.flatMap((path) =>
    findWords(path, readFileSync(join(root, path), "utf8")).map((finding) => ({
      path,
      ...finding,
    })),
  );
  for (const { path, line, kind, found, reason } of findings) {
    console.error(`${path}:${line}: ${kind}: "${found}" ${reason}`);
  }
  if (findings.length > 0) {
    console.error(
      `${findings.length} discouraged words in ${files.length} files. See docs/style.md.`,
    );
    process.exitCode = 1;
  } else console.log(`No discouraged words in ${files.length} files.`);
}
