import { actionCommand } from "#steps/server-action.ts";

export const reinstall = actionCommand({
  verb: "reinstall",
  action: "reinstall",
  summary: "Request a reinstallation, which erases all disks.",
  description: ["All data is lost when the operator carries it out."],
  question: (server) => `Reinstall ${server}? ALL DATA ON ITS DISKS WILL BE ERASED.`,
  word: "reinstall",
  examples: [
    { line: "ironlease server reinstall web1.example.com", meaning: "Confirm, then request it." },
    {
      line: "ironlease server reinstall web1.example.com --yes",
      meaning: "Request it from a script, without confirmation.",
    },
  ],
});
