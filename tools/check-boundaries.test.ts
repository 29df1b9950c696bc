import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { checkBoundaries } from "./check-boundaries.ts";

const server = "packages/server/src";
const browserApp = "packages/console/src";
const cli = "packages/cli/src";
const contract = "packages/contract/src/money.ts";
const validTree = {
  [contract]: "export type Cents = number;",
  [`${server}/ports/clock.ts`]: 'import type { Cents } from "../../../contract/src/money.ts";',
  [`${server}/kernel/ledger.ts`]: 'export type * from "../ports/clock.ts";',
  [`${server}/features/orders/place.ts`]: 'import "../../kernel/ledger.ts"; import "./price.ts";',
  [`${server}/features/orders/place.test.ts`]:
    'import "./place.ts"; import "../../../../../test/support/db.ts"; import "node:test";',
  [`${server}/features/orders/price.ts`]: "using price = { [Symbol.dispose]() {} };",
  [`${server}/http/bind.ts`]: 'import "../features/orders/place.ts"; import "node:http";',
  [`${server}/adapters/sqlite/open.ts`]: 'import "../driver.ts"; import "node:sqlite";',
  [`${server}/adapters/driver.ts`]: 'import "../ports/clock.ts";',
  [`${server}/commands/x.ts`]: 'import "../composition/start-service.ts";',
  [`${server}/composition/start-service.ts`]:
    'import "../adapters/sqlite/open.ts"; import "../http/bind.ts";',
  [`${browserApp}/data/session.ts`]: 'import "../../../contract/src/money.ts";',
  [`${browserApp}/ui/button.tsx`]: 'import "../data/session.ts"; export const a = <p />;',
  [`${browserApp}/app/mount.tsx`]: 'import "../ui/button.tsx"; import "../data/session.ts";',
  [`${browserApp}/account/data/reads.ts`]: 'import "../../data/session.ts";',
  [`${browserApp}/account/pages/orders/page.tsx`]:
    'import "#ui/button.tsx"; import "../../data/reads.ts"; import "./form.tsx";',
  [`${browserApp}/account/pages/orders/form.tsx`]: 'import "../../../app/mount.tsx";',
  [`${browserApp}/account/pages/servers/page.tsx`]: 'import "../../../ui/button.tsx";',
  [`${browserApp}/account/pages/both-page.tsx`]:
    'import "./orders/page.tsx"; import "./servers/page.tsx";',
  [`${browserApp}/account/routes.tsx`]: 'import "./pages/both-page.tsx";',
  [`${browserApp}/desk/shared/pager.tsx`]: 'import "../../app/mount.tsx";',
  [`${browserApp}/desk/pages/work/page.tsx`]: 'import "../../shared/pager.tsx";',
  "packages/cli/package.json": '{ "type": "module", "imports": { "#*": "./src/*" } }',
  [`${cli}/run.ts`]: 'import "./commands/servers/list.ts"; import "./reports/report.ts";',
  [`${cli}/commands/servers/list.ts`]: 'import "#steps/find-server.ts"; import "#command.ts";',
  [`${cli}/steps/find-server.ts`]: 'import "../context.ts";',
  [`${cli}/command.ts`]: 'import "./context.ts";',
  [`${cli}/context.ts`]: 'import "./profiles/choose.ts";',
  [`${cli}/reports/report.ts`]: 'import "../profiles/choose.ts";',
  [`${cli}/profiles/choose.ts`]: 'import "../failures/failure.ts";',
  [`${cli}/failures/failure.ts`]: 'import "../output/output.ts";',
  [`${cli}/output/output.ts`]: 'import "../../../command-line/src/style.ts";',
  "packages/command-line/src/style.ts": "",
  "test/support/db.ts": `import "../../${server}/composition/start-service.ts";`,
};

test("a valid tree has no problems", async (t) => {
  assert.deepEqual(await checkPlanted(t, {}), []);
});

test("a cycle is reported, even of type imports only", async (t) => {
  const problems = await checkPlanted(t, {
    [`${server}/kernel/a.ts`]: 'import type { B } from "./b.ts"; export type A = B;',
    [`${server}/kernel/b.ts`]: 'export type { A as B } from "./a.ts";',
  });
  assert.match(problems[0] ?? "", /kernel\/b\.ts → .*\(no cycle\)/);
});

const forbiddenImports: [origin: string, statement: string, rule: string][] = [
  ["kernel/x.ts", 'import type { A } from "../features/orders/place.ts"', "imports of kernel"],
  ["kernel/x.ts", 'const a = await import("../http/bind.ts")', "imports of kernel"],
  ["features/work/x.ts", 'import "../orders/place.ts"', "imports of features"],
  ["features/work/x.ts", 'import "../../http/bind.ts"', "imports of features"],
  ["features/work/x.ts", 'import "../../../../../test/support/db.ts"', "imports of features"],
  ["features/work/x.test.ts", 'import "../orders/place.ts"', "imports of tests in features"],
  ["adapters/postgres/x.ts", 'import "../sqlite/open.ts"', "imports of adapters"],
  ["http/x.ts", 'import "../adapters/sqlite/open.ts"', "imports of http"],
  ["features/work/x.ts", 'import "../../adapters/driver.ts"', "imports of features"],
  ["composition/x.ts", 'import "../commands/x.ts"', "imports of composition"],
  ["migrations/x.ts", 'import "../kernel/ledger.ts"', "imports of migrations"],
  ["config.ts", 'import "./kernel/ledger.ts"', "imports of config"],
  ["ports/x.ts", 'export type * from "../kernel/ledger.ts"', "imports of ports"],
  ["../../contract/src/x.ts", 'import "../../server/src/ports/clock.ts"', "imports of contract"],
  [
    "../../client/src/x.ts",
    'import "../../server/src/composition/start-service.ts"',
    "imports of client",
  ],
  ["../../cli/src/steps/x.ts", 'import "#commands/servers/list.ts"', "imports of cli steps"],
  ["../../cli/src/connection.ts", 'import "./steps/find-server.ts"', "imports of cli context"],
  ["../../cli/src/profiles/x.ts", 'import "#reports/report.ts"', "imports of cli profiles"],
  ["../../cli/src/failures/x.ts", 'import "../profiles/choose.ts"', "imports of cli failures"],
  ["../../cli/src/output/x.ts", 'import "#failures/failure.ts"', "imports of cli output"],
  [
    "../../command-line/src/x.ts",
    'import type { A } from "../../cli/src/output/output.ts"',
    "imports of command line",
  ],
  ["features/work/x.ts", 'import "node:http"', "no driver and no framework inside"],
  [
    "kernel/x.ts",
    'import { DatabaseSync } from "node:sqlite"',
    "no driver and no framework inside",
  ],
  ["ports/x.ts", 'import type { Client } from "pg"', "no driver and no framework inside"],
  ["http/x.ts", 'import "../features/orders/place.test.ts"', "no test is imported"],
  ["http/x.ts", 'import "./gone.ts"', "every import resolves"],
];

const forbiddenConsoleImports: typeof forbiddenImports = [
  ["data/x.ts", 'import "../ui/button.tsx"', "imports of console data"],
  ["data/x.ts", 'import "../account/data/reads.ts"', "imports of console data"],
  ["ui/x.tsx", 'import "../app/mount.tsx"', "imports of console ui"],
  ["ui/x.tsx", 'import "#app/mount.tsx"', "imports of console ui"],
  ["app/x.tsx", 'import "../account/routes.tsx"', "imports of console app"],
  ["app/x.tsx", 'import "../desk/shared/pager.tsx"', "imports of console app"],
  ["account/data/x.ts", 'import "../pages/orders/form.tsx"', "imports of console account"],
  ["account/shared/x.tsx", 'import "../../desk/shared/pager.tsx"', "imports of console account"],
  [
    "account/pages/servers/x.tsx",
    'import "../orders/form.tsx"',
    "imports of console account pages",
  ],
  ["account/pages/servers/x.tsx", 'import "../both-page.tsx"', "imports of console account pages"],
  [
    "account/pages/servers/x.tsx",
    'import "../../../desk/pages/work/page.tsx"',
    "imports of console account pages",
  ],
  ["account/x.tsx", 'import "../desk/pages/work/page.tsx"', "imports of console account entry"],
  ["desk/shared/x.tsx", 'import "../pages/work/page.tsx"', "imports of console desk"],
  ["desk/pages/audit/x.tsx", 'import "../work/page.tsx"', "imports of console desk pages"],
  [
    "desk/pages/audit/x.tsx",
    'import "../../../account/pages/orders/form.tsx"',
    "imports of console desk pages",
  ],
  ["desk/x.tsx", 'import "../account/data/reads.ts"', "imports of console desk entry"],
  [
    "data/x.ts",
    'import "../../../server/src/composition/start-service.ts"',
    "imports of console data",
  ],
];

/** All of them in one tree, because each tree takes a second to read. Nothing imports the files named x. */
const allForbiddenImports = [
  ...forbiddenImports.map(([origin, ...rest]) => [join(server, origin), ...rest] as const),
  ...forbiddenConsoleImports.map(
    ([origin, ...rest]) => [join(browserApp, origin), ...rest] as const,
  ),
].map(([origin, statement, rule], index) => ({
  origin: origin.replace("/x.", `/x${index}.`),
  statement,
  rule,
}));

test("each forbidden import violates its rule and no other", async (t) => {
  const planted = allForbiddenImports.map(
    ({ origin, statement }) => [origin, `${statement};`] as const,
  );
  const problems = await checkPlanted(t, Object.fromEntries(planted));
  for (const { origin, statement, rule } of allForbiddenImports) {
    const found = problems.filter((problem) => problem.startsWith(`${origin} → `));
    assert.equal(found.length, 1, `${statement} in ${origin}: ${found.join("\n")}`);
    assert.ok(found.join().endsWith(`(${rule})`), found.join());
  }
  assert.equal(problems.length, allForbiddenImports.length, problems.join("\n"));
});

test("a port may declare interfaces, types and error classes", async (t) => {
  const port = `import type { Cents } from "./clock.ts";
    export type { Cents } from "./clock.ts";
    export interface Payment { cents: Cents }
    type Kind = "a" | "b";
    export class Away extends Error { override name = "Away"; constructor(kind: Kind) { super(kind); } }
    export class Full extends Away {}`;
  const clock = "export type Cents = number;";
  const planted = { [`${server}/ports/x.ts`]: port, [`${server}/ports/clock.ts`]: clock };
  assert.deepEqual(await checkPlanted(t, planted), []);
});

test("any other declaration in a port is reported", async (t) => {
  const others = {
    "export function ok() {}": "ok",
    "const cache = new Map();": "cache",
    'export const states = ["A"] as const;': "states",
    "export enum State { A }": "TsEnumDeclaration",
    "export class Store {}": "Store",
    "export class Store extends Map {}": "Store",
    'import "./clock.ts";': "ImportDeclaration",
    'export * from "./clock.ts";': "ExportAllDeclaration",
  };
  const pathOf = (index: number) => `${server}/ports/x${index}.ts`;
  const planted = Object.keys(others).map((text, index) => [pathOf(index), text] as const);
  assert.deepEqual(
    await checkPlanted(t, Object.fromEntries(planted)),
    Object.values(others).map(
      (name, index) => `${pathOf(index)} is a port with more than types and error classes: ${name}`,
    ),
  );
});

test("a file outside every zone is reported", async (t) => {
  const outside = [
    `${browserApp}/x.ts`,
    "packages/new/src/x.ts",
    `${server}/features/x.ts`,
    `${server}/shared.ts`,
  ];
  assert.deepEqual(
    await checkPlanted(t, Object.fromEntries(outside.map((path) => [path, ""]))),
    outside.map((path) => `${path} belongs to no zone of tools/zones.ts`),
  );
});

test("a file that dependency-cruiser skips is reported", async (t) => {
  assert.deepEqual(await checkPlanted(t, {}, { exclude: { path: "contract/src/money" } }), [
    `${contract} was not cruised`,
  ]);
});

async function checkPlanted(
  t: TestContext,
  planted: Record<string, string>,
  overrides?: Parameters<typeof checkBoundaries>[1],
): Promise<string[]> {
  const root = mkdtempSync(join(tmpdir(), "ironlease-boundaries-"));
  t.after(() => rmSync(root, { recursive: true }));
  const files = {
    ...validTree,
    ...planted,
    "package.json": '{ "type": "module" }',
    "packages/console/package.json": JSON.stringify({
      type: "module",
      imports: { "#app/*": "./src/app/*", "#ui/*": "./src/ui/*" },
    }),
    "node_modules/pg/index.js": "",
  };
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return checkBoundaries(root, overrides);
}
