import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { findPackageJSON } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { password } from "../support/service.ts";
import { order, startRental, type Rental, type RentalCustomer } from "../support/rental-service.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The command-line arguments of each generator. */
const generators: Readonly<Record<string, (from: string, out: string) => readonly string[]>> = {
  "openapi-typescript": (from, out) => [from, "--output", `${out}.ts`],
  "@hey-api/openapi-ts": (from, out) => ["--input", from, "--output", out],
  orval: (from, out) => ["--input", from, "--output", `${out}.ts`, "--client", "fetch"],
};

const sides = ["account", "operator"] as const;
const outputOf = (generator: string, side: string) =>
  `${side}-${generator.replaceAll(/\W+/g, "-")}`;

const compilerOptions = {
  target: "es2023",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  module: "esnext",
  moduleResolution: "bundler",
  allowImportingTsExtensions: true,
  strict: true,
  noEmit: true,
  skipLibCheck: true,
};

/** Resources have the same names in the output of every generator. */
const namesProgram = `
import type { components as Account } from "./account-openapi-typescript.ts";
import type { components as Operator } from "./operator-openapi-typescript.ts";
import type * as hey from "./account--hey-api-openapi-ts/index.ts";
import type * as orval from "./account-orval.ts";
import type * as operatorHey from "./operator--hey-api-openapi-ts/index.ts";
import type * as operatorOrval from "./operator-orval.ts";
type Same<One, Two> = [One] extends [Two] ? ([Two] extends [One] ? true : false) : false;
export const names: [
  Same<Account["schemas"]["Server"], hey.Server>, Same<hey.Server, orval.Server>,
  Same<Account["schemas"]["Order"], hey.Order>, Same<hey.Order, orval.Order>,
  Same<Account["schemas"]["LedgerEntry"], hey.LedgerEntry>, Same<hey.LedgerEntry, orval.LedgerEntry>,
  Same<Operator["schemas"]["Machine"], operatorHey.Machine>, Same<operatorHey.Machine, operatorOrval.Machine>,
] = [true, true, true, true, true, true, true, true];
`;

/** Signs in and places an order with orval's client. Node's fetch stores no cookies, so the program does. */
const orderProgram = `
import { listServers, placeOrder, readQuote, signIn, type PlaceOrderRequest } from "./account-orval.ts";
const [origin, username = "", password = ""] = process.argv.slice(2);
const plainFetch = globalThis.fetch;
let cookie = "";
globalThis.fetch = async (path, init) => {
  const headers = new Headers(init?.headers);
  if (cookie !== "") headers.set("cookie", cookie);
  const answer = await plainFetch(new URL(String(path), origin), { ...init, headers });
  const set = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  if (set.length > 0) cookie = set.join("; ");
  return answer;
};
const session = await signIn({ username, password });
if (session.status !== 200) throw new Error(session.data.error.message);
const wanted: PlaceOrderRequest = ${JSON.stringify(order)};
const quote = await readQuote(wanted);
if (quote.status !== 200) throw new Error(quote.data.error.message);
const headers = { "x-csrf-token": session.data.csrfToken, "idempotency-key": "generated-client" };
const placed = await placeOrder(wanted, { headers });
if (placed.status !== 201) throw new Error(placed.data.error.message);
const list = await listServers();
if (list.status !== 200) throw new Error(list.data.error.message);
const [server] = list.data.servers;
console.log(JSON.stringify({ quoted: quote.data.totalUsd, order: placed.data, server: server?.id }));
`;

describe("clients that third-party generators create from the OpenAPI documents", () => {
  let folder: string;
  let rental: Rental;
  let customer: RentalCustomer;
  before(async () => {
    rental = await startRental("sqlite");
    customer = await rental.customer(100);
    folder = mkdtempSync(join(tmpdir(), "ironlease-generators-"));
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"), "dir");
    const served = {
      account: await rental.send("GET", "/api/openapi.json"),
      operator: await rental.sendToDesk("GET", "/operator/openapi.json"),
    };
    for (const side of sides) writeFileSync(join(folder, `${side}.json`), served[side].text);
    const tsconfig = { compilerOptions, include: ["**/*.ts"], exclude: ["node_modules"] };
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(tsconfig));
    writeFileSync(join(folder, "names.ts"), namesProgram);
    writeFileSync(join(folder, "order.ts"), orderProgram);
    const runs = sides.flatMap((side) =>
      Object.keys(generators).map((generator) => generate(folder, generator, side)),
    );
    await Promise.all(runs);
  });
  after(async () => {
    await rental.close();
    rmSync(folder, { recursive: true, force: true });
  });

  test("compile in strict mode and use the same resource names", async () => {
    const tsc = join(repository, "node_modules/.bin/tsc");
    const checked = await run(tsc, ["-p", folder]).catch((error: unknown) => error);
    assert.equal((checked as { stdout: string }).stdout, "");
  });

  test("sign in and place an order at the real service", async () => {
    const env = { NODE_EXTRA_CA_CERTS: join(folder, "ca.pem") };
    writeFileSync(env.NODE_EXTRA_CA_CERTS, rental.ca);
    const given = ["order.ts", rental.url, customer.username, password];
    const { stdout } = await run(process.execPath, given, { cwd: folder, env });
    const { quoted, order: placed, server } = JSON.parse(stdout) as Ordered;
    const [recorded] = await rental.core.db.read.selectFrom("orders").select("id").execute();
    assert.deepEqual([placed.id, placed.status], [recorded?.id, "ACCEPTED"]);
    assert.equal(placed.totalUsd, quoted);
    assert.deepEqual(placed.serverIds, [server]);
  });
});

interface Ordered {
  readonly quoted: number;
  readonly order: { id: string; status: string; totalUsd: number; serverIds: string[] };
  readonly server: string;
}

async function generate(folder: string, generator: string, side: string): Promise<void> {
  const manifest = findPackageJSON(generator, import.meta.url) ?? assert.fail(generator);
  const { bin } = JSON.parse(readFileSync(manifest, "utf8")) as { bin: string | object };
  const [file] = typeof bin === "string" ? [bin] : (Object.values(bin) as string[]);
  const argumentsOf = generators[generator] ?? assert.fail(generator);
  const given = argumentsOf(`${side}.json`, outputOf(generator, side));
  await run(process.execPath, [join(dirname(manifest), file ?? ""), ...given], { cwd: folder });
}
