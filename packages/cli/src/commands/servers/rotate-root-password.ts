import { actionCommand } from "#steps/server-action.ts";

export const rotateRootPassword = actionCommand({
  verb: "rotate-root-password",
  action: "rotate_root_password",
  summary: "Request a new root password.",
  description: ["The operator hands over the new password. This command does not return it."],
  question: (server) =>
    `Replace the root password of ${server}? The old password will stop working.`,
  examples: [
    {
      line: "ironlease server rotate-root-password web1.example.com",
      meaning: "Confirm, then request it.",
    },
  ],
});
