import { ironlease } from "#cli/commands/index.ts";
import { exits } from "#cli/failures/exit-codes.ts";
import { manualPage } from "#command-line/manual.ts";
import { environment, introduction } from "./cli-reference.ts";

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

/** Markdown without its code marks and links. */
function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]+\)/g, "$1").replaceAll("`", "");
}
