import { type Style, record } from "@ironlease/command-line";
import { eventsText } from "./webhook-events.ts";

/** A webhook with a secret that is shown only once. */
export function shownSecret(
  shown: {
    readonly id: string;
    readonly url: string;
    readonly events: readonly string[];
    readonly secret: string;
  },
  style: Style,
): readonly string[] {
  return [
    record(style, [
      ["Secret", style.yellow(shown.secret)],
      ["Id", shown.id],
      ["URL", shown.url],
      ["Events", eventsText(shown.events)],
    ]),
    "",
    "Save the secret now. It is shown only once.",
  ];
}
