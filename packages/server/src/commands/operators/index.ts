import type { Role } from "@ironlease/contract";
import { command, type Command } from "#commands/command.ts";
import { operatorColumns } from "./columns.ts";

const roles = ["support", "finance", "admin"] as const satisfies readonly Role[];

const operatorName = { name: "name", meaning: "Username of the operator." } as const;

export const operatorCommands: readonly Command[] = [
  command({
    words: ["operator", "add"],
    summary: "Add an operator and print the password once.",
    arguments: [operatorName],
    options: {
      role: {
        value: "ROLE",
        choices: roles,
        fallback: "support",
        meaning: "What the operator may do.",
      },
    },
    fields: ["username", "role", "password"],
    examples: [
      { line: "ironleased operator add ada --role admin", meaning: "Add an administrator." },
    ],
    run: async (call) => (await import("./add.ts")).addOperatorCommand(call),
  }),
  command({
    words: ["operator", "list"],
    summary: "List operators.",
    fields: ["operators"],
    columns: operatorColumns,
    examples: [{ line: "ironleased operator list", meaning: "All operators." }],
    run: async (call) => (await import("./list.ts")).listOperatorsCommand(call),
  }),
  command({
    words: ["operator", "disable"],
    summary: "Disable an operator and end their sessions.",
    arguments: [operatorName],
    fields: ["username", "isChanged"],
    examples: [{ line: "ironleased operator disable ada", meaning: "Lock ada out at once." }],
    run: async (call) => (await import("./disable.ts")).disableOperatorCommand(call),
  }),
  command({
    words: ["operator", "enable"],
    summary: "Enable a disabled operator.",
    arguments: [operatorName],
    fields: ["username", "isChanged"],
    examples: [{ line: "ironleased operator enable ada", meaning: "Let ada sign in again." }],
    run: async (call) => (await import("./enable.ts")).enableOperatorCommand(call),
  }),
  command({
    words: ["operator", "role"],
    summary: "Change the role of an operator.",
    arguments: [operatorName, { name: "role", meaning: "The new role.", choices: roles }],
    fields: ["username", "isChanged"],
    examples: [{ line: "ironleased operator role ada admin", meaning: "Make ada an admin." }],
    run: async (call) => (await import("./role.ts")).changeRoleCommand(call),
  }),
  command({
    words: ["operator", "networks"],
    summary: "Limit the networks that an operator may sign in from, or lift the limit.",
    arguments: [operatorName],
    options: {
      only: {
        value: "LIST",
        meaning: "Addresses or CIDRs, separated by commas. Without it, anywhere is allowed.",
      },
    },
    fields: ["username", "isChanged"],
    examples: [
      {
        line: "ironleased operator networks ada --only 203.0.113.0/24",
        meaning: "Let ada sign in from the office only.",
      },
      { line: "ironleased operator networks ada", meaning: "Let ada sign in from anywhere." },
    ],
    run: async (call) => (await import("./networks.ts")).setNetworksCommand(call),
  }),
  command({
    words: ["operator", "reset"],
    summary: "Set a new password, print it once, and remove the second factor.",
    arguments: [operatorName],
    fields: ["username", "password", "isDisabled"],
    examples: [
      { line: "ironleased operator reset ada", meaning: "Help ada, who lost the password." },
    ],
    run: async (call) => (await import("./reset.ts")).resetOperatorCommand(call),
  }),
];
