import { isError } from "@ironlease/client";
import { command } from "#command.ts";
import { CommandFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";

const again = [
  "Start over:",
  "ironlease second-factor remove --yes",
  "ironlease second-factor begin",
];

export const confirmSecondFactor = command({
  words: ["second-factor", "confirm"],
  summary: "Turn the second factor on with a code of the app.",
  description: [
    "From now on, signing in needs a code. All other sessions end. Prints ten recovery codes once: each replaces a " +
      "code for one sign-in.",
  ],
  arguments: [{ name: "code", meaning: "Code that the authenticator app shows." }],
  showsOnce: true,
  fields: ["recoveryCodes"],
  examples: [{ line: "ironlease second-factor confirm 123456", meaning: "Turn it on." }],
  run: async ({ args, context }) => {
    const client = await context.member();
    const { recoveryCodes } = await client
      .confirmSecondFactor({ code: args.code }, context.calling)
      .catch(refuseCode);
    return output(
      { recoveryCodes },
      (shown, style) => [
        "The second factor is on. Recovery codes:",
        "",
        ...shown.recoveryCodes.map((code) => style.yellow(code)),
        "",
        "Write them down. They are shown only once, and each works once.",
      ],
      {
        secret: recoveryCodes.join(" "),
        done: "The second factor was turned on",
        what: "its recovery codes",
        ifLost: again,
      },
    );
  },
});

/** The service's advice for wrong credentials is about passwords. */
function refuseCode(error: unknown): never {
  if (!isError(error, "confirmSecondFactor", "invalid_credentials")) throw error;
  throw new CommandFailure({
    exit: "refused",
    code: error.code,
    message: error.message,
    advice: ["To get another secret:", "ironlease second-factor begin"],
    requestId: error.requestId,
  });
}
