import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { build } from "vite";
import { fetchOldestNode, installPackage } from "#test/packages.ts";
import { startTestService, type TestService } from "#test/service.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
const maxBytes = 12_000;

describe("the packed client", () => {
  let project: string;
  let service: TestService;
  before(async () => {
    ({ project } = await installPackage("client", "in a project"));
    service = await startTestService("sqlite");
  });
  after(() => service.close());

  test("has JavaScript, declarations and a README, and no dependencies", () => {
    const installed = join(project, "node_modules");
    assert.deepEqual(
      readdirSync(installed).filter((name) => !name.startsWith(".")),
      ["@ironlease"],
    );
    const root = join(installed, "@ironlease/client");
    const files = readdirSync(root, { recursive: true, encoding: "utf8" });
    for (const name of ["README.md", "LICENSE", "dist/index.js", "dist/index.d.ts"]) {
      assert.ok(files.includes(name), name);
    }
    assert.deepEqual(
      files.filter((name) => /(?<!\.d)\.ts$|\.test\.|\.kept$/.test(name)),
      [],
    );
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as object;
    assert.deepEqual(
      Object.keys(manifest).filter((key) => /depend|scripts|publish/i.test(key)),
      [],
    );
  });

  test("runs in an empty project on the pinned Node and on Node 20", async (t) => {
    const program = `
      import { createKeyClient, createSessionClient, UsageError } from "@ironlease/client";
      import { createOperatorClient } from "@ironlease/client/operator";
      import { createNodeFetch } from "@ironlease/client/node";
      const [baseUrl, ca, username] = JSON.parse(process.argv[2]);
      const fetch = createNodeFetch({ ca });
      const client = createSessionClient({ baseUrl, fetch });
      await client.register({ username, password: "a long pass phrase" });
      const { key } = await client.createApiKey({ name: "packed", scope: "billing" });
      const { asset } = await client.createDepositAddress({ asset: "BTC" });
      const { balanceUsd } = await createKeyClient({ baseUrl, fetch, apiKey: key }).readLedger();
      await client.signOut();
      createOperatorClient({ baseUrl, fetch });
      fetch.close();
      console.log(JSON.stringify([process.version, asset, balanceUsd]));
    `;
    writeFileSync(join(project, "program.js"), program);
    const nodes = [process.execPath, await fetchOldestNode()];
    const majors: string[] = [];
    for (const [index, node] of nodes.entries()) {
      const given = JSON.stringify([service.url, service.ca, `packed${index}`]);
      const { stdout } = await run(node, ["program.js", given], { cwd: project });
      const [version, ...results] = JSON.parse(stdout) as unknown[];
      t.diagnostic(String(version));
      majors.push(String(version).split(".")[0] ?? "");
      assert.deepEqual(results, ["BTC", 0]);
    }
    assert.deepEqual(majors, ["v26", "v20"]);
  });

  test("its declarations type-check in a user's project", async () => {
    writeFileSync(
      join(project, "use.ts"),
      `import { createSessionClient, isError, type Server } from "@ironlease/client";
       import { createOperatorClient } from "@ironlease/client/operator";
       export const client = createSessionClient({ baseUrl: "https://rent.example" });
       export const operator = createOperatorClient({ baseUrl: "https://rent.example" });
       export async function first(): Promise<Server | undefined> {
         return (await client.listServers()).servers[0];
       }
       // @ts-expect-error -- there is no such code
       isError(undefined, "placeOrder", "no_such_code");\n`,
    );
    const tsc = join(repository, "node_modules/.bin/tsc");
    for (const resolution of [
      ["--module", "nodenext"],
      ["--module", "esnext", "--moduleResolution", "bundler"],
    ]) {
      const strict = ["--noEmit", "--strict", "--target", "es2022", "--lib", "es2022,dom"];
      await run(tsc, ["use.ts", "--types", "", ...strict, ...resolution], { cwd: project });
    }
  });

  test(`adds less than ${maxBytes / 1_000} kB gzipped to a Vite app, without the operator client`, async (t) => {
    writeFileSync(
      join(project, "index.html"),
      '<!doctype html><script type="module" src="/main.js"></script>',
    );
    // Imports everything, so that tree shaking removes nothing.
    writeFileSync(
      join(project, "main.js"),
      'import * as client from "@ironlease/client"; globalThis.client = { ...client };',
    );
    const outDir = join(project, "site");
    const built = { outDir, modulePreload: false as const, emptyOutDir: true };
    await build({ root: project, configFile: false, logLevel: "error", build: built });
    const [script, ...others] = readdirSync(join(outDir, "assets"));
    assert.deepEqual(others, []);
    const code = readFileSync(join(outDir, "assets", script ?? assert.fail()));
    const bytes = gzipSync(code, { level: 9 }).length;
    t.diagnostic(`${bytes} bytes gzipped, ${code.length} plain`);
    assert.ok(bytes < maxBytes);
    assert.ok(!code.includes("svc-operator") && !code.includes("node:"));
  });
});
