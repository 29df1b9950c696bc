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

/** Backtracking over text that others send is how one request stops all others. */
describe("no regular expression costs more than in proportion to its text", () => {
  test("in the code of the packages", () => {
    const expressions = files.flatMap((file) =>
      literalsIn(file).map((expression) => ({ file, ...expression })),
    );
    assert.ok(expressions.length > 100, "the literals are found");
    const slow = expressions.filter(isSlow).map(({ file, source }) => `${file}: /${source}/`);
    assert.deepEqual(slow, []);
  });

  test("in the schemas of the contract", () => {
    const patterns = [...patternsIn({ accountOperations, operatorOperations })];
    assert.ok(patterns.length > 0, "the patterns are found");
    assert.deepEqual(
      patterns.filter((source) => isSlow({ source, flags: "u" })),
      [],
    );
  });

  test("the two shapes that were once sent to us are noticed", () => {
    assert.ok(isSlow({ source: String.raw`\s*;\s*`, flags: "" }), "a search over blanks");
    assert.ok(isSlow({ source: "[ ]*(?:a)?[ ]*$", flags: "y" }), "blanks that two parts may take");
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

/** Ajv compiles these, with the `u` flag. */
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
