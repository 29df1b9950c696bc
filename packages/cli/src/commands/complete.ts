import { parseArgs } from "node:util";
import { cleanText } from "@ironlease/command-line";
import { command } from "#command.ts";
import { Context } from "#context.ts";
import { output } from "#output/output.ts";
import { globalOptions } from "#shared-options.ts";
import { offers, sources } from "#steps/completion-sources.ts";

/** Longer than this, a completion is of no use. */
const timeout = "3";

/** Called by the completion scripts. An error is no offer: the scripts ignore it. */
export const complete = command({
  words: ["__complete"],
  summary: "Print what a shell offers.",
  isHidden: true,
  arguments: [
    { name: "source", choices: sources, meaning: "What to look up." },
    { name: "words", optional: true, many: true, meaning: "The words typed so far." },
  ],
  examples: [{ line: "ironlease __complete servers", meaning: "Names of servers." }],
  run: async ({ args: { source, words }, context: { io, shared } }) => {
    const context = new Context(io, { ...shared, ...aimOf(words), timeout });
    try {
      const found = await offers[source](context);
      const lines = found.map(({ word, meaning }) => `${cleanText(word)}\t${cleanText(meaning)}`);
      return output(found, () => lines);
    } finally {
      await context.finish();
    }
  },
});

/** The options for the service among the words that are typed so far. */
function aimOf(words: readonly string[]): Readonly<Record<string, string>> {
  const names = ["profile", "url", "ca", "fingerprint"] as const;
  const { values } = parseArgs({
    args: [...words],
    options: Object.fromEntries(
      Object.entries(globalOptions).map(([name, option]) => [
        name,
        { type: "value" in option ? ("string" as const) : ("boolean" as const) },
      ]),
    ),
    allowPositionals: true,
    strict: false,
  });
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = values[name];
      return typeof value === "string" ? [[name, value]] : [];
    }),
  );
}
