import { record } from "@ironlease/command-line";
import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { qrCode } from "#output/qr-code.ts";

export const beginSecondFactor = command({
  words: ["second-factor", "begin"],
  summary: "Start setting up the second factor.",
  description: [
    "Shows a secret for an authenticator app, on a terminal also as a QR code. Nothing changes until you confirm a " +
      "code of the app. Needs a sign-in that is not older than 15 minutes.",
  ],
  fields: ["secret", "otpauthUri"],
  examples: [{ line: "ironlease second-factor begin", meaning: "Show a new secret." }],
  run: async ({ context }) => {
    const client = await context.member();
    const isTerminal = context.io.stdout.isTTY === true;
    return output(await client.beginSecondFactor(context.calling), (shown, style) => [
      ...(isTerminal ? [qrCode(shown.otpauthUri, style), ""] : []),
      record(style, [["Secret", style.yellow(shown.secret)]]),
      "",
      "Add it to your authenticator app. Then confirm the code that the app shows:",
      context.suggest("ironlease second-factor confirm CODE"),
    ]);
  },
});
