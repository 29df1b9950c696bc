import { shownCommands, type Command, type Program } from "./command.ts";
import type { Found } from "./find-command.ts";
import type { Argument, Option, Options } from "./option.ts";
import type { Style } from "./style.ts";

const width = 88;
/** A longer label puts its explanation on the next line. */
const maxLabel = 26;

/** The help page of the program, a noun or a command. */
export function helpFor(
  program: Program,
  { commands, noun }: Extract<Found, { kind: "help" }>,
  style: Style,
): string {
  const [only] = commands;
  if (noun !== undefined) return nounHelp(program, commands, noun, style);
  const isOne = only !== undefined && commands.length === 1;
  return isOne ? commandHelp(program, only, style) : overview(program, style);
}

export function commandHelp(program: Program, command: Command, style: Style): string {
  const { summary, description = [], arguments: args = [], options = {}, examples } = command;
  const { fields = [], columns = [] } = command;
  const section = sectionIn(style);
  return [
    ...laidOut([style.bold("Usage:"), ...synopsisParts(program, command)], 0, 4),
    "",
    ...wrapped(summary, 0),
    ...description.flatMap((text) => ["", ...wrapped(text, 0)]),
    ...section("Arguments", labelled(args.map((arg) => [labelOf(arg), explained(arg)]))),
    ...section("Options", optionLines(options)),
    ...section("Global options", optionLines(program.globalOptions)),
    ...section("JSON fields", listed(fields)),
    ...section("Columns", listed(columns.map(({ field }) => field))),
    ...section(
      "Examples",
      examples.flatMap(({ line, meaning }, index) => [
        ...(index === 0 ? [] : [""]),
        ...wrapped(meaning, 2),
        `    ${style.cyan(line)}`,
      ]),
    ),
  ].join("\n");
}

function overview(program: Program, style: Style): string {
  const { name, summary, firstSteps, notes } = program;
  const section = sectionIn(style);
  return [
    summary,
    "",
    `${style.bold("Usage:")} ${name} COMMAND [options]`,
    ...section("Commands", commandLines(shownCommands(program), 0)),
    ...section(
      firstSteps.title,
      firstSteps.lines.map((line) => `  ${style.cyan(line)}`),
    ),
    "",
    `Run "${name} COMMAND --help" for details of a command.`,
    ...notes,
  ].join("\n");
}

function nounHelp(
  { name }: Program,
  commands: readonly Command[],
  noun: string,
  style: Style,
): string {
  return [
    `${style.bold("Usage:")} ${name} ${noun} COMMAND [options]`,
    ...sectionIn(style)("Commands", commandLines(commands, 1)),
    "",
    `Run "${name} ${noun} COMMAND --help" for details of a command.`,
  ].join("\n");
}

/** What users type: arguments, then required options, then optional ones. */
export function synopsis(program: Program, command: Command): string {
  return synopsisParts(program, command).join(" ");
}

function synopsisParts({ name }: Program, command: Command): readonly string[] {
  const options = Object.entries(command.options ?? {});
  const required = options.filter(([, option]) => option.required).map(optionLabel);
  const others = options.filter(([, option]) => !option.required).map(optionLabel);
  return [
    name,
    ...command.words,
    ...(command.arguments ?? []).map(labelOf),
    ...required,
    ...others.map((text) => `[${text}]`),
  ];
}

function listed(names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : wrapped(names.join(", "), 2);
}

function sectionIn(style: Style) {
  return (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.bold(`${title}:`), ...lines];
}

function commandLines(commands: readonly Command[], from: number): readonly string[] {
  return labelled(
    commands.map((command) => [
      [...command.words.slice(from), ...(command.arguments ?? []).map(labelOf)].join(" "),
      command.summary,
    ]),
    Number.POSITIVE_INFINITY,
  );
}

function optionLines(options: Options): readonly string[] {
  return labelled(
    Object.entries(options).map(([name, option]) => [
      `${option.short === undefined ? "    " : `-${option.short}, `}${optionLabel([name, option])}`,
      explained(option),
    ]),
  );
}

export function labelOf({ name, optional, many }: Argument): string {
  const label = many ? `-- ${name.toUpperCase()}...` : name.toUpperCase();
  return optional ? `[${label}]` : label;
}

export function optionLabel([name, { value }]: readonly [string, Option]): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** The meaning, the choices, the default, and whether it is required. */
export function explained(item: Argument | Option): string {
  const choices = item.choices === undefined ? "" : ` One of ${item.choices.join(", ")}.`;
  const isRequired = "required" in item && item.required;
  const fallback =
    "fallback" in item && item.fallback !== undefined ? ` Default: ${item.fallback}.` : "";
  return `${item.meaning}${choices}${fallback}${isRequired ? " Required." : ""}`;
}

/** Two columns: labels, and wrapped explanations beside them. */
function labelled(
  rows: readonly (readonly [label: string, text: string])[],
  longest = maxLabel,
): readonly string[] {
  const fitting = rows.map(([label]) => label.length).filter((length) => length <= longest);
  const indent = 2 + Math.max(0, ...fitting) + 2;
  return rows.flatMap(([label, text]) => {
    // Commands are not wrapped: one line each.
    const lines = longest === Number.POSITIVE_INFINITY ? [text] : trimmed(wrapped(text, indent));
    const [first = "", ...rest] = lines;
    const isLong = label.length > longest;
    const start = `  ${label}`.padEnd(indent);
    const padded = (line: string) => " ".repeat(indent) + line;
    return isLong
      ? [`  ${label}`, ...lines.map(padded)]
      : [`${start}${first}`, ...rest.map(padded)];
  });
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trimStart());
}

function wrapped(text: string, indent: number): readonly string[] {
  return laidOut(text.split(" "), indent, indent);
}

function laidOut(words: readonly string[], indent: number, hanging: number): readonly string[] {
  const lines: string[] = [];
  let line = " ".repeat(indent);
  for (const word of words) {
    if (line.trim() !== "" && line.length + 1 + word.length > width) {
      lines.push(line);
      line = " ".repeat(hanging);
    }
    line += line.trim() === "" ? word : ` ${word}`;
  }
  return [...lines, line];
}
