import { markup, prose, type Content, type Markup } from "./markup.ts";

/** A part of the introduction: text, and beside it what shows it. */
export interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly text: Content;
  readonly examples?: Content;
}

/** Lines of source that are one paragraph; words between backticks are code. */
export function paragraph(...lines: readonly string[]): Markup {
  return markup`<p>${prose(lines.join(" "))}</p>\n`;
}
