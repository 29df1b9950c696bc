import { actionCommand } from "#steps/server-action.ts";

export const powerOff = actionCommand({
  verb: "power-off",
  action: "power_off",
  summary: "Request powering a server off.",
  description: [
    "The server stays off and billing continues. To power it on again, request a reboot.",
  ],
  question: (server) => `Power off ${server}? It stays off, and billing continues.`,
  examples: [
    { line: "ironlease server power-off web1.example.com", meaning: "Confirm, then request it." },
  ],
});
