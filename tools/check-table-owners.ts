import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseSync } from "@swc/core";
import { genericWriters, tableOwners } from "./table-owners.ts";

const serverSource = fileURLToPath(new URL("../packages/server/src/", import.meta.url));

/** One write to a table. The table is undefined when the code computes its name. */
interface TableWrite {
  readonly verb: string;
  readonly table: string | undefined;
}

/** One sentence for each write outside its table's owner, and for each owner that does not exist. */
export function checkTableOwners(root = serverSource): string[] {
  const owners = new Map(Object.entries(tableOwners));
  const missing = [...owners].flatMap(([table, owner]) =>
    existsSync(join(root, owner)) ? [] : [`${owner}, the owner of ${table}, does not exist`],
  );
  const strays = listSources(root).flatMap((file) =>
    writesIn(readFileSync(join(root, file), "utf8")).flatMap(({ verb, table }) => {
      if (table === undefined) {
        return genericWriters.includes(file) ? [] : [`${file}: ${verb} computes its table's name`];
      }
      const owner = owners.get(table);
      if (owner === undefined) return [`${file}: ${verb} ${table}, which has no owner`];
      const isOwner = owner.endsWith("/") ? file.startsWith(owner) : file === owner;
      return isOwner ? [] : [`${file}: ${verb} ${table}, which only ${owner} may write`];
    }),
  );
  return [...missing, ...strays];
}

function listSources(root: string): string[] {
  return globSync("**/*.ts", { cwd: root })
    .filter((file) => !file.endsWith(".test.ts") && !file.startsWith("migrations/"))
    .toSorted();
}

type Node = Readonly<Record<string, unknown>>;

/** The writes of one file, both through the query builder and in SQL text. */
export function writesIn(source: string): readonly TableWrite[] {
  const writes: TableWrite[] = [];
  visit(parseSync(source, { syntax: "typescript" }), (node) => {
    if (node["type"] === "CallExpression") writes.push(...builderWrites(node));
    else if (node["type"] === "TemplateLiteral") writes.push(...textWrites(templateText(node)));
    else if (node["type"] === "StringLiteral") writes.push(...textWrites(String(node["value"])));
  });
  return writes;
}

const builderVerbs = new Set([
  "insertInto",
  "replaceInto",
  "mergeInto",
  "updateTable",
  "deleteFrom",
  "preparedInsert",
]);

function builderWrites(call: Node): readonly TableWrite[] {
  const callee = call["callee"] as Node;
  const name = callee["type"] === "MemberExpression" ? (callee["property"] as Node) : callee;
  const verb = String(name["value"]);
  if (!builderVerbs.has(verb)) return [];
  const [first] = call["arguments"] as readonly { readonly expression: Node }[];
  const isNamed = first?.expression["type"] === "StringLiteral";
  // Kysely accepts an alias after the name: `updateTable("servers as s")`.
  return [
    { verb, table: isNamed ? String(first.expression["value"]).split(" ", 1)[0] : undefined },
  ];
}

const computed = "$computed";
const statement = /\b(insert into|replace into|merge into|delete from|update)\s+"?([\w$]+)"?/gi;
/** Distinguishes SQL from an English sentence with "update". In SQL, `set` follows the table. */
const setClause = /^\s+(?:as\s+\w+\s+)?set\b/i;

function textWrites(text: string): readonly TableWrite[] {
  return [...text.matchAll(statement)].flatMap(
    ({ 0: found, 1: verb = "", 2: name = "", index }) => {
      const rest = text.slice(index + found.length);
      if (verb.toLowerCase() === "update" && !setClause.test(rest)) return [];
      if (name !== computed && !(name in tableOwners)) return [];
      return [{ verb: verb.toLowerCase(), table: name === computed ? undefined : name }];
    },
  );
}

function templateText(node: Node): string {
  const parts = node["quasis"] as readonly { readonly cooked?: string; readonly raw: string }[];
  return parts.map(({ cooked, raw }) => cooked ?? raw).join(computed);
}

function visit(value: unknown, each: (node: Node) => void): void {
  if (typeof value !== "object" || value === null) return;
  each(value as Node);
  for (const inner of Object.values(value)) visit(inner, each);
}

if (import.meta.main) {
  const problems = checkTableOwners();
  for (const problem of problems) console.error(problem);
  if (problems.length > 0) process.exitCode = 1;
  else
    console.log(`Each of ${Object.keys(tableOwners).length} tables is written by its owner only.`);
}
