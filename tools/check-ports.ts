import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync, type ModuleItem } from "@swc/core";

const ports = "packages/server/src/ports/**/*.ts";

/** Returns one sentence for each declaration in a port that is not an interface, a type or an error class. */
export function checkPorts(root: string): string[] {
  return globSync(ports, { cwd: root })
    .toSorted()
    .flatMap((path) => {
      const { body } = parseSync(readFileSync(join(root, path), "utf8"), { syntax: "typescript" });
      const errors = new Set(["Error"]);
      return body
        .filter((item) => !isAllowed(item, errors))
        .map((item) => `${path} is a port with more than types and error classes: ${nameOf(item)}`);
    });
}

function isAllowed(item: ModuleItem, errors: Set<string>): boolean {
  switch (item.type) {
    case "TsInterfaceDeclaration":
    case "TsTypeAliasDeclaration":
    case "EmptyStatement":
      return true;
    case "ImportDeclaration":
      return item.typeOnly;
    case "ExportNamedDeclaration":
      return item.typeOnly;
    case "ExportAllDeclaration":
      return "typeOnly" in item && item.typeOnly === true;
    case "ExportDeclaration":
      return isAllowed(item.declaration, errors);
    case "ClassDeclaration": {
      const parent = item.superClass?.type === "Identifier" ? item.superClass.value : "";
      if (!errors.has(parent)) return false;
      errors.add(item.identifier.value);
      return true;
    }
    default:
      return false;
  }
}

function nameOf(item: ModuleItem): string {
  const declaration = item.type === "ExportDeclaration" ? item.declaration : item;
  if ("identifier" in declaration) return declaration.identifier.value;
  if (declaration.type !== "VariableDeclaration") return declaration.type;
  return declaration.declarations
    .map(({ id }) => (id.type === "Identifier" ? id.value : id.type))
    .join(", ");
}
