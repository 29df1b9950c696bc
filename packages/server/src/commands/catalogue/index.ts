import { command, type Command } from "#commands/command.ts";

export const catalogueCommands: readonly Command[] = [
  command({
    words: ["catalogue", "import"],
    summary: "Import a catalogue. Errors name the line.",
    arguments: [{ name: "file", meaning: "JSON file, or - for standard input." }],
    fields: [
      "version",
      "isChanged",
      "configurations",
      "offers",
      "regions",
      "operatingSystems",
      "discounts",
    ],
    examples: [
      { line: "ironleased catalogue import catalogue.json", meaning: "Replace the catalogue." },
    ],
    run: async (call) => (await import("./import.ts")).importCatalogue(call),
  }),
  command({
    words: ["catalogue", "export"],
    summary: "Print the catalogue as JSON, as `catalogue import` reads it.",
    output: "stream",
    examples: [
      { line: "ironleased catalogue export > catalogue.json", meaning: "Save it, to edit it." },
    ],
    run: async (call) => (await import("./export.ts")).exportCatalogue(call),
  }),
];
