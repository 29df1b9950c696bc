import { nameOf, shownCommands, type Command, type Program } from "./command.ts";
import { explained, labelOf, optionLabel, synopsis } from "./help.ts";
import type { Options } from "./option.ts";

export interface Manual {
  /** The section of the manual: 1 for users' programs, 8 for administrators'. */
  readonly section: 1 | 8;
  readonly description: readonly string[];
  /** Sections after the commands, such as exit codes: labels, and what they mean. */
  readonly tables: readonly {
    readonly title: string;
    readonly rows: readonly (readonly [label: string, text: string])[];
  }[];
}

/** The program's manual page, for man(1). It has no date, so that the same commands make the same page. */
export function manualPage(program: Program, { section, description, tables }: Manual): string {
  const { name, summary, globalOptions } = program;
  return [
    `.TH ${name.toUpperCase()} ${section} "" "Ironlease" ""`,
    // No hyphenation and no justification: both would change what readers copy.
    ...[".nh", ".ad l"],
    ".SH NAME",
    `${text(name)} \\- ${text(summary.replace(/\.$/, ""))}`,
    ".SH SYNOPSIS",
    `.B ${text(name)}`,
    text("COMMAND [options]"),
    ".SH DESCRIPTION",
    ...paragraphs(description),
    ".SH COMMANDS",
    ...shownCommands(program).flatMap((command) => commandLines(program, command)),
    ".SH GLOBAL OPTIONS",
    ...optionLines(globalOptions),
    ...tables.flatMap(({ title, rows }) => [
      `.SH ${text(title.toUpperCase())}`,
      ...rows.flatMap(([label, meaning]) => tagged(label, meaning)),
    ]),
    "",
  ].join("\n");
}

function commandLines(program: Program, command: Command): readonly string[] {
  const { summary, description = [], arguments: args = [], options = {} } = command;
  const { fields = [], columns = [], examples } = command;
  const named = (title: string, names: readonly string[]) =>
    names.length === 0 ? [] : [".PP", text(`${title}: ${names.join(", ")}.`)];
  return [
    `.SS ${text(nameOf(command))}`,
    `.B ${text(synopsis(program, command))}`,
    ...paragraphs([summary, ...description]),
    ...args.flatMap((argument) => tagged(labelOf(argument), explained(argument))),
    ...optionLines(options),
    ...named("JSON fields", fields),
    ...named(
      "Columns",
      columns.map(({ field }) => field),
    ),
    ...examples.flatMap(({ line, meaning }) => [
      ...paragraphs([meaning]),
      ...[".RS 4", ".nf", text(line), ".fi", ".RE"],
    ]),
  ];
}

function optionLines(options: Options): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    return tagged(`${short}${optionLabel([name, option])}`, explained(option));
  });
}

function tagged(label: string, meaning: string): readonly string[] {
  return [".TP", `.B ${text(label)}`, text(meaning)];
}

function paragraphs(texts: readonly string[]): readonly string[] {
  return texts.flatMap((paragraph) => [".PP", text(paragraph)]);
}

/** Text that roff shows as it is: hyphens can be copied, and no line is a request. */
function text(plain: string): string {
  const escaped = plain.replaceAll("\\", "\\e").replaceAll("-", "\\-").replaceAll('"', "\\(dq");
  return /^[.']/.test(escaped) ? `\\&${escaped}` : escaped;
}
