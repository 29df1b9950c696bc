export { cleanJson, cleanLines, cleanText, clean } from "./clean-text.ts";
export {
  nameOf,
  shownCommands,
  type Command,
  type Example,
  type NamedColumn,
  type Program,
} from "./command.ts";
export { errorText } from "./error-text.ts";
export { findCommand, type Found } from "./find-command.ts";
export { groupBy } from "./group-by.ts";
export { commandHelp, explained, helpFor, synopsis } from "./help.ts";
export type { Argument, ArgumentValues, Option, Options, OptionValues } from "./option.ts";
export {
  asksForJson,
  checkFormat,
  columnsOf,
  columnsOption,
  formatOf,
  formatOptions,
  type Format,
  type FormatValues,
} from "./output/format-options.ts";
export { rendered, type Result } from "./output/rendered.ts";
export { extras, record, table, valueOf, widthOf, type Column, type List } from "./output/table.ts";
export { ownEntry } from "./own-entry.ts";
export { parse, type Parsed } from "./parse.ts";
export { styleFor, type Style } from "./style.ts";
export { didYouMean, nearest } from "./suggest.ts";
export type { Input, Screen } from "./terminal.ts";
export { UsageError } from "./usage-error.ts";
