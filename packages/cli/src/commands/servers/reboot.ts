import { actionCommand } from "#steps/server-action.ts";

export const reboot = actionCommand({
  verb: "reboot",
  action: "reboot",
  summary: "Request a reboot.",
  description: ["Running programs are interrupted when the operator carries it out."],
  question: (server) => `Reboot ${server}?`,
  examples: [
    { line: "ironlease server reboot web1.example.com", meaning: "Confirm, then request it." },
  ],
});
