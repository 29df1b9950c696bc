import { actionCommand } from "#steps/server-action.ts";

export const powerOff = actionCommand({
  verb: "power-off",
  action: "power_off",
  summary: "Queue switching a server off.",
  description: ["The server stays yours and goes on being charged. A reboot switches it on again."],
  question: (server) =>
    `Switch ${server} off? What runs on it stops, and it goes on being charged.`,
  examples: [
    { line: "ironlease server power-off web1.example.com", meaning: "Ask, then queue it." },
  ],
});
