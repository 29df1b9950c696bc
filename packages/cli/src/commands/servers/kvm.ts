import { actionCommand } from "#steps/server-action.ts";

export const kvm = actionCommand({
  verb: "kvm",
  action: "kvm",
  summary: "Queue a request for KVM access.",
  description: ["The answer carries no address to connect to: the operator arranges it with you."],
  examples: [{ line: "ironlease server kvm web1.example.com", meaning: "Queue the request." }],
});
