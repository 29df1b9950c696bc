import { Visitor } from "@swc/core/Visitor.js";
import { outsideModules, outsidePackages, testFile, testSupport, zones } from "./tools/zones.ts";

// The visitor that dependency-cruiser uses does not support `using` declarations and throws on them.
// oxlint-disable-next-line typescript/no-deprecated -- It is deprecated, but dependency-cruiser uses it.
const visitor = Visitor.prototype;
const visitKnownStatement = visitor.visitStatement;
visitor.visitStatement = function visitStatement(statement) {
  if (statement.type !== "UsingDeclaration") return visitKnownStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

// Excludes data files such as package.json, which any file may import.
const code = "^(?:packages|test|tools|bench)/.+\\.[cm]?[jt]sx?$";
const outside = [
  `(?:^|/)node_modules/(?:@types/)?(?:${outsidePackages.join("|")})/`,
  `^(?:${outsidePackages.join("|")})$`,
  `^(?:node:)?(?:${outsideModules.join("|")})$`,
];

// Tests next to a source file may import what their zone may, and test/support.
const importRules = zones.flatMap((zone) => {
  // In a target, dependency-cruiser replaces $1 by the text of the origin's group.
  const allowed = [zone.path.replace("([^/]+)", "$1"), ...zone.mayImport.map(findPath)];
  const origin = { path: zone.path, pathNot: testFile };
  const testOrigin = { path: zone.path.replace("^", `^(?=.*${testFile})`) };
  return [
    forbid(`imports of ${zone.name}`, origin, { path: code, pathNot: allowed }),
    forbid(`imports of tests in ${zone.name}`, testOrigin, {
      path: code,
      pathNot: [...allowed, testSupport],
    }),
  ];
});

const inside = zones.filter((zone) => zone.inside).map((zone) => zone.path);

export default {
  forbidden: [
    ...importRules,
    forbid("no cycle", {}, { circular: true }),
    forbid("no driver and no framework inside", { path: inside }, { path: outside }),
    forbid("no test is imported", {}, { path: testFile }),
    forbid("every import resolves", {}, { couldNotResolve: true }),
  ],
  options: {
    // TypeScript 7 has no compiler API, so dependency-cruiser needs swc to read .ts files.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "(?:^|/)(?:node_modules/|dist[./])" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default"],
    },
  },
};

function forbid(name, from, to) {
  return { name, severity: "error", from, to };
}

function findPath(name) {
  const zone = zones.find((candidate) => candidate.name === name);
  if (zone === undefined) throw new Error(`tools/zones.ts has no zone named ${name}.`);
  return zone.path;
}
