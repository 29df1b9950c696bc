import { errors, operations, type ErrorCode, type Operation } from "@ironlease/contract";
import { operationsAnswering } from "#docs/answering.ts";
import { markdownPage, markdownTable } from "./markdown.ts";

/** `errors.md`: every error code, its message and the operations that return it. */
export function errorsFile(): string {
  const codes = Object.keys(errors) as ErrorCode[];
  const byStatus = Map.groupBy(codes, (code) => errors[code].status);
  const sections = [...byStatus]
    .toSorted(([one], [other]) => one - other)
    .map(([status, members]) => {
      const rows = members.map((code) => [`\`${code}\``, errors[code].message, answeredBy(code)]);
      return `## ${status}\n\n${markdownTable(["Code", "Message", "Returned by"], rows)}`;
    });
  return markdownPage(
    "Errors",
    "Every error code of the service. [openapi.json](openapi.json) describes the shape as `Error`.",
    ...sections,
  );
}

function answeredBy(code: ErrorCode): string {
  const sides = Map.groupBy(Object.entries<Operation>(operations), ([, { listener }]) => listener);
  const answers = [...sides].flatMap(([listener, members]) => {
    const answering = operationsAnswering(code, Object.fromEntries(members));
    if (answering.length === 0) return [];
    const text =
      typeof answering === "string"
        ? answering
        : answering.map(([, { method, path }]) => `\`${method} ${path}\``).join(", ");
    return [`${listener} API: ${text}`];
  });
  return answers.length === 0 ? "no operation" : answers.join("; ");
}
