import { actionCommand } from "#steps/server-action.ts";

export const rotateRootPassword = actionCommand({
  verb: "rotate-root-password",
  action: "rotate_root_password",
  summary: "Queue a new root password.",
  description: ["The answer carries no password: the operator hands the new one over."],
  question: (server) => `Replace the root password of ${server}? The old one stops working.`,
  examples: [
    {
      line: "ironlease server rotate-root-password web1.example.com",
      meaning: "Ask, then queue it.",
    },
  ],
});
