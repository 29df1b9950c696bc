import { optionsOf, type Command } from "../../cli/src/command.ts";
import type { Argument, Option, Options } from "./option.ts";
import { globalOptions } from "../../cli/src/shared-options.ts";
import type { Style } from "./style.ts";

const width = 88;

/** A page on one command, laid out as a manual's. */
export function commandHelp(command: Command, style: Style): string {
  const { words, summary, description = [], arguments: args = [], examples } = command;
  const { fields = [] } = command;
  const name = `ironlease ${words.join(" ")}`;
  const section = (title: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : ["", style.bold(title), ...lines];
  return [
    style.bold("NAME"),
    ...wrapped(`${name} - ${summary}`, 4),
    ...section("SYNOPSIS", laidOut(synopsisParts(command), 4, 8)),
    ...section(
      "DESCRIPTION",
      description.flatMap((text, index) => [...(index === 0 ? [] : [""]), ...wrapped(text, 4)]),
    ),
    ...section("ARGUMENTS", args.flatMap(argumentLines)),
    ...section("OPTIONS", optionLines(optionsOf(command))),
    ...section("OPTIONS OF EVERY COMMAND", optionLines(globalOptions)),
    ...section("FIELDS", fields.length === 0 ? [] : wrapped(fields.join(", "), 4)),
    ...section(
      "EXAMPLES",
      examples.flatMap(({ line, meaning }, index) => [
        ...(index === 0 ? [] : [""]),
        ...wrapped(meaning, 4),
        `        ${style.cyan(line)}`,
      ]),
    ),
  ].join("\n");
}

/** What is typed: required options first, then arguments, then what may be left out. */
export function synopsis(command: Command): string {
  return synopsisParts(command).join(" ");
}

function synopsisParts(command: Command): readonly string[] {
  const options = Object.entries(optionsOf(command));
  const shown = ([name, option]: [string, Option]) =>
    option.value === undefined ? `--${name}` : `--${name} ${option.value}`;
  const required = options.filter(([, option]) => option.required).map(shown);
  const others = options.filter(([, option]) => !option.required).map(shown);
  const args = (command.arguments ?? []).map(({ name, optional }) =>
    optional ? `[${name.toUpperCase()}]` : name.toUpperCase(),
  );
  return [
    "ironlease",
    ...command.words,
    ...args,
    ...required,
    ...others.map((text) => `[${text}]`),
  ];
}

/** All commands, or those of one noun, a line each. */
export function listHelp(commands: readonly Command[], noun: string | undefined, style: Style) {
  const rows = commands.map((command) => ({ left: usage(command), right: command.summary }));
  const left = Math.max(...rows.map((row) => row.left.length));
  const lines = rows.map((row) => `  ${row.left.padEnd(left)}  ${row.right}`);
  const title =
    noun === undefined
      ? "Rent physical servers, paid in cryptocurrency, from a terminal."
      : `What can be done: ironlease ${noun} …`;
  const footer =
    noun === undefined
      ? [
          "",
          `${style.bold("First steps")}, beside a preview that runs here:`,
          `  ${style.cyan("ironlease register --ca data/tls/ca.pem")}`,
          `  ${style.cyan("ironlease catalogue list")}`,
          "",
          "Scripts read with an API key in IRONLEASE_API_KEY, from IRONLEASE_URL.",
          "ironlease COMMAND --help explains a command. The exit codes are in docs/reference/cli.md.",
        ]
      : ["", `ironlease ${noun} VERB --help explains one.`];
  return [style.bold(title), "", ...lines, ...footer].join("\n");
}

function usage({ words, arguments: args = [] }: Command): string {
  return [...words, ...args.map(({ name }) => name.toUpperCase())].join(" ");
}

function argumentLines(argument: Argument): readonly string[] {
  return [`    ${argument.name.toUpperCase()}`, ...wrapped(explained(argument), 8)];
}

function optionLines(options: Options): readonly string[] {
  return Object.entries(options).flatMap(([name, option]) => {
    const short = option.short === undefined ? "" : `-${option.short}, `;
    const value = option.value === undefined ? "" : ` ${option.value}`;
    return [`    ${short}--${name}${value}`, ...wrapped(explained(option), 8)];
  });
}

/** The meaning, with what may be given and what is taken otherwise. */
export function explained(item: Argument | Option): string {
  const choices = item.choices === undefined ? "" : ` One of ${item.choices.join(", ")}.`;
  const isRequired = "required" in item && item.required;
  const fallback =
    "fallback" in item && item.fallback !== undefined ? ` Left out: ${item.fallback}.` : "";
  return `${item.meaning}${choices}${fallback}${isRequired ? " Required." : ""}`;
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
