import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));

/** Where a path in the review may begin. */
const beginnings = [
  ".",
  ...["server", "contract", "console", "client", "cli"].map((name) => `packages/${name}/src`),
];

/** A file in back quotes, and what is quoted of it right behind. */
const named = /`((?:[\w.-]+\/)*[\w.-]+\.\w+|\.dockerignore|deploy\/Dockerfile)`((?:,? "[^"]+")*)/g;

/** What the review names and is not so, a sentence each. */
export function missingEvidence(review: string): readonly string[] {
  return Array.from(review.matchAll(named)).flatMap(([, path = "", quotes = ""]) => {
    const text = textOf(path);
    if (text === undefined) return [`${path} is not there`];
    return Array.from(quotes.matchAll(/"([^"]+)"/g), ([, quote = ""]) => quote)
      .filter((quote) => !text.includes(quote))
      .map((quote) => `${path} does not hold "${quote}"`);
  });
}

function textOf(path: string): string | undefined {
  const found = beginnings.map((beginning) => join(root, beginning, path)).find(existsSync);
  return found === undefined ? undefined : readFileSync(found, "utf8");
}

interface Requirement {
  readonly id: string;
  /** A row may stand for several that follow one another. */
  readonly covers: number;
  readonly level: string;
  readonly verdict: string;
  readonly shownBy: string;
}

/** The rows of the review's tables that are about a requirement. */
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

/** Chapters that do not apply at all are one row: how many of levels 1 and 2 they have. */
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
