import { errorsOf, type Operation } from "@ironlease/contract";
import { plainSchema } from "@ironlease/reference";
import { objectOf, requestFields } from "./client-requests.ts";
import { keyScopesOf, type Side } from "./client-table.ts";
import { capital, comment, TypeWriter } from "./type-writer.ts";

/** The interfaces of every request and answer, and one that maps each operation to them. */
export function typesSource({ name, operations, recordNames, conditional }: Side): string {
  const writer = new TypeWriter(recordNames);
  const members = Object.entries(operations).map(([id, operation]) => {
    const request = declareRequest(writer, id, operation, conditional[id]);
    const answer = declareAnswer(writer, id, operation);
    const { summary, description, extension } = operation;
    const texts = [`${summary}.`, description, extension ? "An extension." : undefined];
    const keyScopes = keyScopesOf(operation).map((scope) => JSON.stringify(scope));
    return (
      comment(texts.filter((part) => part !== undefined).join(" "), "  ") +
      `  readonly ${id}: {\n` +
      `    readonly request: ${request};\n` +
      `    readonly answer: ${answer};\n` +
      `    readonly errors:\n${errorsOf(operation)
        .toSorted()
        .map((code) => `      | ${JSON.stringify(code)}`)
        .join("\n")};\n` +
      `    readonly scopes: ${keyScopes.length === 0 ? "never" : keyScopes.join(" | ")};\n` +
      `    readonly keyed: ${operation.idempotency !== "none"};\n` +
      `    readonly versioned: ${operation.versioned === true && operation.method !== "GET"};\n` +
      `  };`
    );
  });
  const all = `export interface ${capital(name)}Operations {\n${members.join("\n")}\n}\n`;
  const recorded = all.includes("| Recorded")
    ? `import type { Recorded } from "../api.ts";\n\n`
    : "";
  return recorded + [...writer.declarations, all].join("\n");
}

function declareAnswer(writer: TypeWriter, id: string, operation: Operation): string {
  const types = Object.entries(operation.answers).map(([status, schema], _, all) => {
    if (schema === null) return "undefined";
    const name = `${capital(id)}Answer${all.length === 1 ? "" : status}`;
    writer.declare(name, plainSchema(schema));
    return name;
  });
  if (operation.idempotency === "conflict") types.push("Recorded");
  return types.join(" | ");
}

function declareRequest(
  writer: TypeWriter,
  id: string,
  operation: Operation,
  condition: Side["conditional"][string] | undefined,
): string {
  const fields = requestFields(operation);
  if (fields.length === 0) return "undefined";
  const name = `${capital(id)}Request`;
  if (condition === undefined) {
    writer.declare(name, objectOf(fields));
    return name;
  }
  const branch = (isWith: boolean) =>
    objectOf(
      fields.flatMap((field) => {
        if (field.name === condition.field) return isWith ? [{ ...field, required: true }] : [];
        if (field.name !== condition.with) return [field];
        const words = field.schema["enum"] as readonly string[];
        const allowed = words.filter((word) => (word === condition.word) === isWith);
        return [{ ...field, schema: { ...field.schema, enum: allowed } }];
      }),
    );
  const [withField, without] = ["With", "Without"].map(
    (word) => `${name}${word}${capital(condition.field)}`,
  ) as [string, string];
  writer.declare(withField, branch(true));
  writer.declare(without, branch(false));
  writer.alias(name, `${withField} | ${without}`);
  return name;
}
