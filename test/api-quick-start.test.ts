import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { codeBlocks, missingPrograms, outputOf, runBlocks } from "#test/guide.ts";
import { cookiesOf, password } from "#test/service.ts";

const page = "docs/guides/api-quick-start.md";
const modules = fileURLToPath(new URL("../node_modules", import.meta.url));

describe("docs/guides/api-quick-start.md", () => {
  let daemon: Daemon;
  let folder: string;
  before(async () => {
    folder = temporaryFolder();
    symlinkSync(modules, join(folder, "node_modules"));
    daemon = await startIronleased("preview", {
      IRONLEASE_DATA: join(folder, "data"),
      IRONLEASE_OPERATOR_PASSWORD: password,
    });
  });
  after(() => daemon.stop());

  /** Completes the only delivery, as an operator does at the desk. */
  async function deliver(serverId: string) {
    const signedIn = await daemon.sendToDesk("POST", "/operator/v1/auth/login", {
      body: { username: "operator", password },
    });
    const headers = {
      cookie: cookiesOf(signedIn).join("; "),
      "x-csrf-token": signedIn.json.csrfToken as string,
    };
    const { json } = await daemon.sendToDesk("GET", "/operator/v1/work?kind=PROVISION", {
      headers,
    });
    const work = json.work as { id: string }[];
    const item = work.find((row) => JSON.stringify(row).includes(serverId));
    for (const step of ["claim", "complete"]) {
      const path = `/operator/v1/work/${item?.id}/${step}`;
      const body = step === "claim" ? {} : { hostname: "web-1.example.com" };
      const { status, text } = await daemon.sendToDesk("POST", path, { headers, body });
      assert.equal(status, 200, text);
    }
  }

  test(
    "the commands with curl rent a server once",
    { skip: missingPrograms("curl", "jq") },
    async () => {
      const blocks = codeBlocks(page, "sh").map((block) =>
        block.replaceAll("https://localhost:8443", daemon.url),
      );
      const steps = await runBlocks(blocks, { folder, env: {} });
      const [shown = ""] = codeBlocks(page, "json");
      assert.equal(
        outputOf(steps, "curl exited").replace(/"req_[^"]+"/, '"…"'),
        `${JSON.stringify(JSON.parse(shown))}curl exited with 22\n`,
      );
      assert.match(outputOf(steps, "quote?"), /"totalUsd":39,/);
      assert.equal(outputOf(steps, "api deposits"), "942.5\n");
      assert.equal(outputOf(steps, "the same order"), "the same order\n");
      assert.equal(outputOf(steps, "authorization: Bearer"), "PROVISIONING\n");
    },
  );

  test("the program in Python rents a server", { skip: missingPrograms("python3") }, async () => {
    const [program = ""] = codeBlocks(page, "python");
    writeFileSync(join(folder, "rent.py"), program);
    const rent = spawn("python3", ["-u", "rent.py"], {
      cwd: folder,
      env: {
        PATH: process.env["PATH"],
        CA: join(folder, "data/tls/ca.pem"),
        IRONLEASE_URL: daemon.url,
      },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = new Promise((resolve) => rent.once("close", resolve));
    const lines: string[] = [];
    for await (const line of createInterface(rent.stdout)) {
      lines.push(line);
      const [, address] = /^Pay to (\S+)$/.exec(line) ?? [];
      if (address !== undefined) {
        const env = { IRONLEASE_DATA: join(folder, "data") };
        const paid = await runIronleased(["simulate-payment", address, "0.01"], env);
        assert.equal(paid.code, 0, paid.stderr);
      }
      const [, serverId] = /^Order \S+ server (\S+)$/.exec(line) ?? [];
      if (serverId !== undefined) await deliver(serverId);
    }
    assert.equal(await ended, 0);
    const wanted = [
      "Account rent-\\w+ recovery code \\S+",
      "Price 39 USD",
      "Pay to sim-btc-\\w+",
      "Balance 942\\.5 USD",
      "Order ord_\\w+ server srv_\\w+",
      "Delivered at [\\d.]+",
    ];
    assert.match(lines.join("\n"), new RegExp(`^${wanted.join("\n")}$`));
  });
});
