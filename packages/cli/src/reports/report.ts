import { optionOfField } from "./advice.ts";
import { exits } from "../failures/exit-codes.ts";
import type { Failure } from "../failures/failure.ts";
import { lookUp } from "../../../command-line/src/own-entry.ts";
import { cleanJson, cleanText } from "../../../command-line/src/clean-text.ts";
import type { Style } from "../../../command-line/src/style.ts";

/** A failure for people: what is wrong first, then what to do. */
export function failureText(failure: Failure, style: Style): string {
  const { code, message, fields = [], advice = [] } = failure;
  const { idempotencyKey, requestId, retryAfterSeconds } = failure;
  const lines = message.split("\n").map(cleanText);
  const fieldLines = fields.map(({ field, message: wrong }) => {
    const option = lookUp(optionOfField, field);
    const name = cleanText(option === undefined ? field : `${field} (${option})`);
    return `  ${style.bold(name)} ${cleanText(wrong)}`;
  });
  const details = [
    ...(code === "usage" ? [] : [`code ${code}`]),
    ...(idempotencyKey === undefined ? [] : [`idempotency key ${idempotencyKey}`]),
    ...(requestId === undefined || requestId === "" ? [] : [`request ${requestId}`]),
  ];
  return [
    `${style.red("error:")} ${lines.join("\n")}`,
    ...fieldLines,
    ...(retryAfterSeconds === undefined ? [] : [`  Wait ${retryAfterSeconds} seconds.`]),
    ...advice.map((line) => `  ${adviceLine(cleanText(line), style)}`),
    ...(details.length === 0 ? [] : [`  ${style.dim(cleanText(details.join(", ")))}`]),
  ].join("\n");
}

function adviceLine(line: string, style: Style): string {
  return line.startsWith("ironlease ") ? `  ${style.cyan(line)}` : line;
}

/** The same for programs. */
export function failureJson(failure: Failure): string {
  const { exit, code, message, fields = [], ...others } = failure;
  const error = { code, exitCode: exits[exit].code, message, fields, ...others };
  return cleanJson({ error }, 2);
}
