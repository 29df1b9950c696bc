import { actionCommand } from "#steps/server-action.ts";

export const reinstall = actionCommand({
  verb: "reinstall",
  action: "reinstall",
  summary: "Queue a reinstallation, which erases the server.",
  description: ["Everything on its disks is lost when the operator carries it out."],
  question: (server) => `Reinstall ${server}? EVERYTHING ON ITS DISKS IS ERASED.`,
  word: "reinstall",
  examples: [
    { line: "ironlease server reinstall web1.example.com", meaning: "Ask, then queue it." },
    {
      line: "ironlease server reinstall web1.example.com --yes",
      meaning: "Queue it from a script, without being asked.",
    },
  ],
});
