import { ironlease } from "#cli/commands/index.ts";
import { exits } from "#cli/failures/exit-codes.ts";
import { manualPage } from "#command-line/manual.ts";
import { ironleased } from "#server/commands/index.ts";
import { settings, type Setting } from "#server/config.ts";
import { environment, introduction } from "./cli-reference.ts";
import { ironleasedExits } from "./ironleased-reference.ts";

/** `man ironlease`. */
export function cliManual(): string {
  return manualPage(ironlease, {
    section: 1,
    description: introduction.map(plain),
    tables: [
      {
        title: "Environment",
        rows: environment.map(([name, meaning]) => [plain(name), plain(meaning)]),
      },
      {
        title: "Exit status",
        rows: Object.values(exits).map(({ code, meaning }) => [String(code), meaning]),
      },
    ],
  });
}

/** `man ironleased`. */
export function ironleasedManual(): string {
  return manualPage(ironleased, {
    section: 8,
    description: [
      "The service and the commands of its administrators. Commands read the same settings as the service and open its database directly, so run them as the service's user.",
    ],
    tables: [
      {
        title: "Settings",
        rows: Object.values<Setting<unknown>>(settings).map(({ name, meaning }) => [
          name,
          plain(meaning),
        ]),
      },
      { title: "Exit status", rows: ironleasedExits },
    ],
  });
}

/** Markdown without its code marks and links. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("`", "");
}
