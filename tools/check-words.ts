import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { discouragedWords } from "./discouraged-words.ts";
import { readableTexts, type TextKind } from "./readable-texts.ts";

interface Coverage {
  /** A glob pattern. `!(*.test).ts` leaves tests out. */
  readonly files: string;
  /** Which texts to read; all of them by default. */
  readonly kinds?: readonly TextKind[];
}

/** What must be free of discouraged words. Add a line to cover a folder of code. */
const covered: readonly Coverage[] = [
  { files: "{README,ARCHITECTURE,CHANGELOG,CONTRIBUTING,SECURITY}.md" },
  { files: "docs/*.md" },
  { files: "docs/{adr,guides,proof}/*.md" },
  { files: "packages/*/README.md" },
  { files: "test/support/README.md" },
  { files: "packages/{cli,client,command-line,console,contract,csv,reference}/src/**/*.{ts,tsx}" },
  { files: "packages/server/src/**/!(*.test).ts", kinds: ["copy"] },
  { files: "test/**/*.ts" },
  { files: "bench/**/*.ts" },
  // Except the list of discouraged words and its test.
  { files: "tools/!(check-words.test|discouraged-words).ts" },
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
  const given = process.argv.slice(2).map((files): Coverage => ({ files }));
  const checked = new Set<string>();
  let count = 0;
  for (const { files, kinds } of given.length > 0 ? given : covered) {
    const paths = globSync(files, { cwd: root, exclude }).toSorted();
    if (paths.length === 0) throw new Error(`${files} matches no file.`);
    for (const path of paths) {
      checked.add(path);
      for (const { line, kind, found, reason } of findWords(path, read(path))) {
        if (kinds?.includes(kind) === false) continue;
        console.error(`${path}:${line}: ${kind}: "${found}" ${reason}`);
        count += 1;
      }
    }
  }
  const verdict = `${count} discouraged words in ${checked.size} files.`;
  if (count > 0) {
    console.error(`${verdict} See docs/style.md.`);
    process.exitCode = 1;
  } else console.log(verdict);
}

function read(path: string): string {
  return readFileSync(join(root, path), "utf8");
}
