import { cleanJson, cleanText, errorText, ownEntry, type Style } from "@ironlease/command-line";
import { exits } from "#failures/exit-codes.ts";
import type { Failure } from "#failures/failure.ts";
import { optionOfField } from "./advice.ts";

/** A failure for people: what is wrong, then what to do. */
export function failureText(failure: Failure, style: Style): string {
  const { code, message, fields = [], advice = [] } = failure;
  const { idempotencyKey, requestId, retryAfterSeconds } = failure;
  const fieldLines = fields.map(({ field, message: wrong }) => {
    const option = ownEntry(optionOfField, field);
    const name = cleanText(option === undefined ? field : `${field} (${option})`);
    return `  ${style.bold(name)} ${cleanText(wrong)}`;
  });
  const details = [
    ...(code === "usage" ? [] : [`code ${code}`]),
    ...(idempotencyKey === undefined ? [] : [`idempotency key ${idempotencyKey}`]),
    ...(requestId === undefined || requestId === "" ? [] : [`request ${requestId}`]),
  ];
  const wait = retryAfterSeconds === undefined ? [] : [`  Wait ${retryAfterSeconds} seconds.`];
  return [
    errorText(message, [...fieldLines, ...wait], advice, style),
    ...(details.length === 0 ? [] : [`  ${style.dim(cleanText(details.join(", ")))}`]),
  ].join("\n");
}

/** A failure for programs. */
export function failureJson(failure: Failure): string {
  const { exit, code, message, fields = [], ...others } = failure;
  const error = { code, exitCode: exits[exit].code, message, fields, ...others };
  return cleanJson({ error }, 2);
}
