import { actionCommand } from "#steps/server-action.ts";

export const reboot = actionCommand({
  verb: "reboot",
  action: "reboot",
  summary: "Queue a reboot.",
  description: ["What runs on the server is interrupted when the operator carries it out."],
  question: (server) => `Reboot ${server}?`,
  examples: [{ line: "ironlease server reboot web1.example.com", meaning: "Ask, then queue it." }],
});
