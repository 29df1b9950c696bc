import { command, type Command } from "#commands/command.ts";

export const accountCommands: readonly Command[] = [
  command({
    words: ["account", "show"],
    summary: "Show a customer's balance, access and servers.",
    description: [
      "Reads the latest 100 servers and withdrawals, and leaves out those that have ended.",
    ],
    arguments: [{ name: "name", meaning: "Username or account id of the customer." }],
    fields: [
      "id",
      "username",
      "state",
      "createdAt",
      "frozenAt",
      "frozenReason",
      "closedAt",
      "balanceUsd",
      "heldUsd",
      "sessions",
      "apiKeys",
      "servers",
      "pendingWithdrawals",
    ],
    examples: [{ line: "ironleased account show grace", meaning: "Look at grace's account." }],
    run: async (call) => (await import("./show.ts")).showAccount(call),
  }),
  command({
    words: ["account", "sign-out"],
    summary: "End every session and API key of a customer.",
    arguments: [{ name: "name", meaning: "Username of the customer." }],
    fields: ["username"],
    examples: [
      { line: "ironleased account sign-out grace", meaning: "Sign grace out everywhere." },
    ],
    run: async (call) => (await import("./sign-out.ts")).signOutAccount(call),
  }),
];
