import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync, Visitor } from "oxc-parser";

const serverSource = fileURLToPath(new URL("../packages/server/src/", import.meta.url));

/** A kind of line that the service logs. */
export interface LogLine {
  readonly level: string;
  /** With `…` for what varies. */
  readonly message: string;
  readonly fields: readonly string[];
}

const levels: ReadonlySet<string> = new Set(["debug", "info", "warn", "error", "fatal"]);
/** Functions that log their message with the error, and the position of the message. */
const reporters: Readonly<Record<string, number>> = { logUnlessOutage: 2, report: 1 };

/** Every line that the code can log, except the one of each request. */
export function readLogLines(root = serverSource): LogLine[] {
  const files = globSync("**/*.ts", { cwd: root }).filter((file) => !file.endsWith(".test.ts"));
  return files.toSorted().flatMap((file) => linesIn(file, readFileSync(join(root, file), "utf8")));
}

function linesIn(file: string, source: string): LogLine[] {
  const lines: LogLine[] = [];
  const visitor = new Visitor({
    CallExpression: ({ callee, arguments: given }) => {
      if (callee.type === "Identifier") {
        const position = reporters[callee.name];
        const message = position === undefined ? undefined : textOf(given[position]);
        // A helper that passes its own parameter on is read at its calls.
        if (message === undefined || message === "…") return;
        lines.push({ level: "error", message, fields: ["err"] });
        return;
      }
      if (callee.type !== "MemberExpression" || callee.property.type !== "Identifier") return;
      const { object, property } = callee;
      if (object.type !== "Identifier" || object.name !== "log" || !levels.has(property.name))
        return;
      const [first, second] = given;
      const hasFields = first?.type === "ObjectExpression";
      // `logUnlessOutage` itself, whose messages are at its calls.
      if (property.name === "error" && textOf(second) === "…") return;
      lines.push({
        level: property.name,
        message: textOf(hasFields ? second : first) ?? "",
        fields: hasFields ? first.properties.map((each) => nameOf(each, file)) : [],
      });
    },
  });
  visitor.visit(parseSync(file, source).program);
  return lines;
}

type Given = Parameters<
  NonNullable<ConstructorParameters<typeof Visitor>[0]["CallExpression"]>
>[0]["arguments"][number];

function textOf(given: Given | undefined): string | undefined {
  if (given === undefined) return undefined;
  if (given.type === "Literal") return String(given.value);
  if (given.type !== "TemplateLiteral") return "…";
  return given.quasis.map(({ value }) => value.raw).join("…");
}

function nameOf(
  property: Extract<Given, { type: "ObjectExpression" }>["properties"][number],
  file: string,
): string {
  if (property.type === "Property" && property.key.type === "Identifier") return property.key.name;
  throw new Error(`${file} logs a field whose name the code computes`);
}
