import { command, type Command } from "#commands/command.ts";
import type { MachineState } from "#ports/schema.ts";
import { machineColumns } from "./columns.ts";

const machineStates = [
  "FREE",
  "RESERVED",
  "ASSIGNED",
  "DIRTY",
  "RETIRED",
] as const satisfies readonly MachineState[];

export const machineCommands: readonly Command[] = [
  command({
    words: ["machines", "list"],
    summary: "List machines, oldest first.",
    description: ["At most 1,000. `machines export` prints all of them with every field."],
    options: {
      state: { value: "STATE", choices: machineStates, meaning: "Only machines in this state." },
      configuration: { value: "ID", meaning: "Only machines of this configuration." },
      region: { value: "ID", meaning: "Only machines in this region." },
    },
    fields: ["machines", "more"],
    columns: machineColumns,
    examples: [
      { line: "ironleased machines list", meaning: "All machines." },
      {
        line: "ironleased machines list --state FREE --region fra",
        meaning: "Machines in Frankfurt that can be sold.",
      },
      {
        line: "ironleased machines list --output csv --columns assetTag,rack,unit",
        meaning: "A list for the data centre.",
      },
    ],
    run: async (call) => (await import("./list.ts")).listMachinesCommand(call),
  }),
  command({
    words: ["machines", "import"],
    summary: "Add machines from a CSV or JSON file. Errors name the line.",
    arguments: [{ name: "file", meaning: "CSV or JSON file, or - for standard input." }],
    fields: ["added", "controllers"],
    examples: [{ line: "ironleased machines import rack-7.csv", meaning: "Add a rack." }],
    run: async (call) => (await import("./import.ts")).importMachines(call),
  }),
  command({
    words: ["machines", "export"],
    summary: "Print all machines as CSV or JSON, as `machines import` reads them.",
    description: ["Controllers are included, their passwords are not."],
    options: {
      format: {
        value: "FORMAT",
        choices: ["csv", "json"],
        fallback: "csv",
        meaning: "Format of the output.",
      },
    },
    output: "stream",
    examples: [
      { line: "ironleased machines export > machines.csv", meaning: "Save the inventory." },
    ],
    run: async (call) => (await import("./export.ts")).exportMachines(call),
  }),
];
