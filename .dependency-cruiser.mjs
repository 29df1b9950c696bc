import { Visitor } from "@swc/core/Visitor.js";
import { outsideModules, outsidePackages, testFile, testSupport, zones } from "./tools/zones.ts";

// The visitor that dependency-cruiser builds on has never heard of `using`, and throws on it.
// oxlint-disable-next-line typescript/no-deprecated -- It is deprecated, but the cruiser uses it.
const visitor = Visitor.prototype;
const visitKnownStatement = visitor.visitStatement;
visitor.visitStatement = function visitStatement(statement) {
  if (statement.type !== "UsingDeclaration") return visitKnownStatement.call(this, statement);
  statement.decls = this.visitVariableDeclarators(statement.decls);
  return statement;
};

// Data files such as package.json are nobody's code, so importing one is no arrow.
const code = "^(?:packages|test|tools|bench)/.+\\.[cm]?[jt]sx?$";
const outside = [
  `(?:^|/)node_modules/(?:@types/)?(?:${outsidePackages.join("|")})/`,
  `^(?:${outsidePackages.join("|")})$`,
  `^(?:node:)?(?:${outsideModules.join("|")})$`,
];

// Tests beside a source file may import what their zone may, and test/support.
const arrows = zones.flatMap((zone) => {
  // In a target, dependency-cruiser replaces $1 by what the origin's group matched.
  const allowed = [zone.path.replace("([^/]+)", "$1"), ...zone.mayImport.map(findPath)];
  const origin = { path: zone.path, pathNot: testFile };
  const testOrigin = { path: zone.path.replace("^", `^(?=.*${testFile})`) };
  return [
    forbid(`arrows of ${zone.name}`, origin, { path: code, pathNot: allowed }),
    forbid(`arrows of tests in ${zone.name}`, testOrigin, {
      path: code,
      pathNot: [...allowed, testSupport],
    }),
  ];
});

const inside = zones.filter((zone) => zone.inside).map((zone) => zone.path);

export default {
  forbidden: [
    ...arrows,
    forbid("no cycle", {}, { circular: true }),
    forbid("no driver and no framework inside", { path: inside }, { path: outside }),
    forbid("no test is imported", {}, { path: testFile }),
    forbid("every import resolves", {}, { couldNotResolve: true }),
  ],
  options: {
    // TypeScript 7 has no programming interface: without swc the .ts files would not be read.
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "(?:^|/)(?:node_modules|dist)/" },
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
