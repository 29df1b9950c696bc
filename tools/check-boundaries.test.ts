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
const soundTree = {
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

test("a tree that keeps to the zones has no problem", async (t) => {
  assert.deepEqual(await checkPlanted(t, {}), []);
});

test("a cycle is caught, even one of types only", async (t) => {
  const problems = await checkPlanted(t, {
    [`${server}/kernel/a.ts`]: 'import type { B } from "./b.ts"; export type A = B;',
    [`${server}/kernel/b.ts`]: 'export type { A as B } from "./a.ts";',
  });
  assert.match(problems[0] ?? "", /kernel\/b\.ts → .*\(no cycle\)/);
});

const wrongArrows: [origin: string, statement: string, rule: string][] = [
  ["kernel/x.ts", 'import type { A } from "../features/orders/place.ts"', "arrows of kernel"],
  ["kernel/x.ts", 'const a = await import("../http/bind.ts")', "arrows of kernel"],
  ["features/work/x.ts", 'import "../orders/place.ts"', "arrows of features"],
  ["features/work/x.ts", 'import "../../http/bind.ts"', "arrows of features"],
  ["features/work/x.ts", 'import "../../../../../test/support/db.ts"', "arrows of features"],
  ["features/work/x.test.ts", 'import "../orders/place.ts"', "arrows of tests in features"],
  ["adapters/postgres/x.ts", 'import "../sqlite/open.ts"', "arrows of adapters"],
  ["http/x.ts", 'import "../adapters/sqlite/open.ts"', "arrows of http"],
  ["features/work/x.ts", 'import "../../adapters/driver.ts"', "arrows of features"],
  ["composition/x.ts", 'import "../commands/x.ts"', "arrows of composition"],
  ["migrations/x.ts", 'import "../kernel/ledger.ts"', "arrows of migrations"],
  ["config.ts", 'import "./kernel/ledger.ts"', "arrows of config"],
  ["ports/x.ts", 'export type * from "../kernel/ledger.ts"', "arrows of ports"],
  ["../../contract/src/x.ts", 'import "../../server/src/ports/clock.ts"', "arrows of contract"],
  [
    "../../client/src/x.ts",
    'import "../../server/src/composition/start-service.ts"',
    "arrows of client",
  ],
  ["../../cli/src/steps/x.ts", 'import "#commands/servers/list.ts"', "arrows of cli steps"],
  ["../../cli/src/connection.ts", 'import "./steps/find-server.ts"', "arrows of cli context"],
  ["../../cli/src/profiles/x.ts", 'import "#reports/report.ts"', "arrows of cli profiles"],
  ["../../cli/src/failures/x.ts", 'import "../profiles/choose.ts"', "arrows of cli failures"],
  ["../../cli/src/output/x.ts", 'import "#failures/failure.ts"', "arrows of cli output"],
  [
    "../../command-line/src/x.ts",
    'import type { A } from "../../cli/src/output/output.ts"',
    "arrows of command line",
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

const wrongConsoleArrows: typeof wrongArrows = [
  ["data/x.ts", 'import "../ui/button.tsx"', "arrows of console data"],
  ["data/x.ts", 'import "../account/data/reads.ts"', "arrows of console data"],
  ["ui/x.tsx", 'import "../app/mount.tsx"', "arrows of console ui"],
  ["ui/x.tsx", 'import "#app/mount.tsx"', "arrows of console ui"],
  ["app/x.tsx", 'import "../account/routes.tsx"', "arrows of console app"],
  ["app/x.tsx", 'import "../desk/shared/pager.tsx"', "arrows of console app"],
  ["account/data/x.ts", 'import "../pages/orders/form.tsx"', "arrows of console account"],
  ["account/shared/x.tsx", 'import "../../desk/shared/pager.tsx"', "arrows of console account"],
  ["account/pages/servers/x.tsx", 'import "../orders/form.tsx"', "arrows of console account pages"],
  ["account/pages/servers/x.tsx", 'import "../both-page.tsx"', "arrows of console account pages"],
  [
    "account/pages/servers/x.tsx",
    'import "../../../desk/pages/work/page.tsx"',
    "arrows of console account pages",
  ],
  ["account/x.tsx", 'import "../desk/pages/work/page.tsx"', "arrows of console account entry"],
  ["desk/shared/x.tsx", 'import "../pages/work/page.tsx"', "arrows of console desk"],
  ["desk/pages/audit/x.tsx", 'import "../work/page.tsx"', "arrows of console desk pages"],
  [
    "desk/pages/audit/x.tsx",
    'import "../../../account/pages/orders/form.tsx"',
    "arrows of console desk pages",
  ],
  ["desk/x.tsx", 'import "../account/data/reads.ts"', "arrows of console desk entry"],
  [
    "data/x.ts",
    'import "../../../server/src/composition/start-service.ts"',
    "arrows of console data",
  ],
];

const allWrongArrows = [
  ...wrongArrows.map(([origin, ...rest]) => [join(server, origin), ...rest] as const),
  ...wrongConsoleArrows.map(([origin, ...rest]) => [join(browserApp, origin), ...rest] as const),
];

for (const [origin, statement, rule] of allWrongArrows) {
  test(`${statement} in ${origin} breaks the rule "${rule}"`, async (t) => {
    const problems = await checkPlanted(t, { [origin]: `${statement};` });
    assert.equal(problems.length, 1, problems.join("\n"));
    assert.ok(problems[0]?.endsWith(`(${rule})`), problems.join("\n"));
  });
}

test("a port with interfaces, types and error classes has no problem", async (t) => {
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

test("a port with anything else is caught", async (t) => {
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
  for (const [text, name] of Object.entries(others)) {
    assert.deepEqual(await checkPlanted(t, { [`${server}/ports/x.ts`]: text }), [
      `${server}/ports/x.ts is a port with more than types and error classes: ${name}`,
    ]);
  }
});

test("a file that belongs to no zone is caught", async (t) => {
  for (const path of [
    `${server}/shared.ts`,
    `${server}/features/x.ts`,
    `${browserApp}/x.ts`,
    "packages/new/src/x.ts",
  ]) {
    assert.deepEqual(await checkPlanted(t, { [path]: "" }), [
      `${path} belongs to no zone of tools/zones.ts`,
    ]);
  }
});

test("a file that the cruise leaves out is caught", async (t) => {
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
    ...soundTree,
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
