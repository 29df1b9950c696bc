import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The folders that a path in the review can be relative to. */
const baseFolders = [
  ".",
  ...["server", "reference", "contract", "console", "client", "cli"].map(
    (name) => `packages/${name}/src`,
  ),
];

/** A file in backticks, followed by quotations from it. */
const evidence =
  /`((?:[\w.-]+\/)*[\w.-]+\.\w+|\.dockerignore|deploy\/Dockerfile)`((?:,? "[^"]+")*)/g;

/** One sentence for each file that does not exist and each quotation that its file does not contain. */
export function missingEvidence(review: string): readonly string[] {
  return Array.from(review.matchAll(evidence)).flatMap(([, path = "", quotes = ""]) => {
    const text = textOf(path);
    if (text === undefined) return [`${path} does not exist`];
    return Array.from(quotes.matchAll(/"([^"]+)"/g), ([, quote = ""]) => quote)
      .filter((quote) => !text.includes(quote))
      .map((quote) => `${path} does not contain "${quote}"`);
  });
}

function textOf(path: string): string | undefined {
  const found = baseFolders.map((folder) => join(root, folder, path)).find(existsSync);
  return found === undefined ? undefined : readFileSync(found, "utf8");
}

interface Requirement {
  readonly id: string;
  /** How many consecutive requirements the row covers. */
  readonly covers: number;
  readonly level: string;
  readonly verdict: string;
  readonly shownBy: string;
}

/** The requirement rows of the review's tables. */
export function requirements(review: string): readonly Requirement[] {
  return review
    .split("\n")
    .filter((line) => /^\| \d+\.\d+\.\d+/.test(line))
    .map((line) => {
      const [id = "", level = "", , verdict = "", shownBy = ""] = line
        .split("|")
        .slice(1, -1)
        .map((cell) => cell.trim());
      return { id, level, verdict, shownBy, covers: coveredBy(id) };
    });
}

/** Chapters that do not apply have one row each. The value is their number of level 1 and 2 requirements. */
const wholeChapters: Readonly<Record<string, number>> = {
  "9.1.1–9.2.4": 7,
  "10.1.1–10.7.3": 29,
  "17.1.1–17.3.2": 7,
};

function coveredBy(id: string): number {
  const whole = wholeChapters[id];
  if (whole !== undefined) return whole;
  const [first = 0, last = first] = id.split("–").map((part) => Number(part.split(".")[2]));
  return last - first + 1;
}
