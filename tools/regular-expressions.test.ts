import assert from "node:assert/strict";
import { globSync, readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { parseSync } from "@swc/core";
import { analyse } from "scslre";
import { accountOperations, operatorOperations } from "#contract/index.ts";

interface Expression {
  readonly source: string;
  readonly flags: string;
}

const packages = new URL("../packages/", import.meta.url);
const files = globSync("*/{src,bin}/**/*.{ts,tsx,js}", { cwd: packages }).filter(
  (file) => !file.includes(".test."),
);

/** Catastrophic backtracking on a client's text would let one request block all others. */
describe("regular expressions run in linear time", () => {
  test("in the code of the packages", () => {
    const expressions = files.flatMap((file) =>
      literalsIn(file).map((expression) => ({ file, ...expression })),
    );
    assert.ok(expressions.length > 100, "too few literals found");
    const slow = expressions.filter(isSlow).map(({ file, source }) => `${file}: /${source}/`);
    assert.deepEqual(slow, []);
  });

  test("in the schemas of the contract", () => {
    const patterns = [...patternsIn({ accountOperations, operatorOperations })];
    assert.ok(patterns.length > 0, "no patterns found");
    assert.deepEqual(
      patterns.filter((source) => isSlow({ source, flags: "u" })),
      [],
    );
  });

  test("the check finds the two slow shapes that occurred before", () => {
    assert.ok(isSlow({ source: String.raw`\s*;\s*`, flags: "" }), "an unanchored run of spaces");
    assert.ok(isSlow({ source: "[ ]*(?:a)?[ ]*$", flags: "y" }), "two adjacent runs of spaces");
  });
});

function isSlow(expression: Expression): boolean {
  return analyse(expression).reports.length > 0;
}

function literalsIn(file: string): readonly Expression[] {
  const text = readFileSync(new URL(file, packages), "utf8");
  const literals: Expression[] = [];
  visit(parseSync(text, { syntax: "typescript", tsx: file.endsWith("x") }), (node) => {
    const { type, pattern, flags } = node;
    if (type === "RegExpLiteral") literals.push({ source: String(pattern), flags: String(flags) });
  });
  return literals;
}

/** Ajv compiles these patterns with the `u` flag. */
function patternsIn(value: unknown): ReadonlySet<string> {
  const patterns = new Set<string>();
  visit(value, ({ pattern }) => {
    if (typeof pattern === "string") patterns.add(pattern);
  });
  return patterns;
}

function visit(value: unknown, each: (node: Readonly<Record<string, unknown>>) => void): void {
  if (typeof value !== "object" || value === null) return;
  each(value as Readonly<Record<string, unknown>>);
  for (const inner of Object.values(value)) visit(inner, each);
}
