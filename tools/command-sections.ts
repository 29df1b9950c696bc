import { shownCommands, type Command, type Program } from "#command-line/command.ts";
import { explained, synopsis } from "#command-line/help.ts";
import type { Options } from "#command-line/option.ts";
import { markdownTable } from "@ironlease/reference";

/** Every command with a link to its section. */
export function commandTable(program: Program): string {
  const { name } = program;
  return markdownTable(
    ["Command", ""],
    shownCommands(program).map(({ words, summary }) => [
      `[\`${words.join(" ")}\`](#${name}-${words.join("-")})`,
      summary,
    ]),
  );
}

/** A section for each command, as `--help` shows it. */
export function commandSections(program: Program): readonly string[] {
  return shownCommands(program).map((command) => commandSection(program, command));
}

function commandSection(program: Program, command: Command): string {
  const {
    words,
    summary,
    description = [],
    arguments: args = [],
    options = {},
    fields = [],
    columns = [],
    examples,
  } = command;
  const rows = args.map((argument) => [
    `\`${argument.name.toUpperCase()}\``,
    `${explained(argument)}${argument.optional ? " Optional." : ""}`,
  ]);
  return [
    `## ${program.name} ${words.join(" ")}`,
    summary,
    fenced(synopsis(program, command)),
    ...description,
    ...(rows.length === 0 ? [] : [markdownTable(["Argument", "Meaning"], rows)]),
    ...(Object.keys(options).length === 0 ? [] : [optionTable(options)]),
    ...named("JSON fields", fields),
    ...named(
      "Columns",
      columns.map(({ field }) => field),
    ),
    ...examples.flatMap(({ line, meaning }) => [meaning, fenced(line)]),
  ].join("\n\n");
}

export function optionTable(options: Options): string {
  const rows = Object.entries(options).map(([name, option]) => {
    const short = option.short === undefined ? "" : `\`-${option.short}\`, `;
    const value = option.value === undefined ? "" : ` ${option.value}`;
    return [`${short}\`--${name}${value}\``, explained(option)];
  });
  return markdownTable(["Option", "Meaning"], rows);
}

function fenced(text: string): string {
  return `\`\`\`sh\n${text}\n\`\`\``;
}

function named(title: string, names: readonly string[]): readonly string[] {
  return names.length === 0 ? [] : [`${title}: ${names.map((name) => `\`${name}\``).join(", ")}.`];
}
