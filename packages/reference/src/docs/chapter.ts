import { markup, prose, type Content, type Markup } from "./markup.ts";

/** A chapter of the introduction, with examples beside the text. */
export interface Chapter {
  readonly anchor: string;
  readonly title: string;
  readonly text: Content;
  readonly examples?: Content;
}

/** Joins the lines into one paragraph. Words in backticks become code. */
export function paragraph(...lines: readonly string[]): Markup {
  return markup`<p>${prose(lines.join(" "))}</p>\n`;
}
