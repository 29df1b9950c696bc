import { actionCommand } from "#steps/server-action.ts";

export const kvm = actionCommand({
  verb: "kvm",
  action: "kvm",
  summary: "Request remote console (KVM) access.",
  description: ["The operator arranges the access with you. This command returns no address."],
  examples: [{ line: "ironlease server kvm web1.example.com", meaning: "Request access." }],
});
