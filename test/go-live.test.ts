import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { appendFileSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { forEachEngine } from "#test/engines.ts";
import { findFreePort } from "#test/free-port.ts";
import { codeBlocks, missingPrograms, outputOf, runBlocks, type Step } from "#test/guide.ts";
import { cookiesOf, password } from "#test/service.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { totpCode } from "#test/totp.ts";

const repository = fileURLToPath(new URL("../", import.meta.url)).replace(/\/$/, "");

forEachEngine((engine) => {
  describe("docs/guides/go-live.md", { skip: missingPrograms("curl") }, () => {
    /** Stands for the root of the file system. */
    const root = temporaryFolder();
    const data = join(root, "var/lib/ironlease");
    const settingsFile = join(root, "etc/ironlease/ironlease.env");
    const steps: Step[] = [];
    let ports: readonly [account: number, operator: number];
    let databaseUrl: string | undefined;
    let daemon: Daemon | undefined;
    before(async () => {
      ports = [await findFreePort(), await findFreePort()];
      if (engine === "postgres") databaseUrl = (await createTestDatabase()).url;
      const installation = codeBlocks("docs/guides/install.md", "sh").join("");
      const folders = installation.match(/^install -d .*\/(?:etc|var)\/.*\n/gm) ?? [];
      await runBlocks(folders.map(adapted), { folder: root, env: {} });
    });
    after(() => daemon?.stop());

    const listeners = () => ({
      IRONLEASE_DATA: data,
      IRONLEASE_LISTEN: `127.0.0.1:${ports[0]}`,
      IRONLEASE_OPERATOR_LISTEN: `127.0.0.1:${ports[1]}`,
    });

    /** The block, with paths below `root`, the ports of this test, and no user `ironlease`. */
    function adapted(block: string): string {
      return (
        block
          .replaceAll(/\/(?=etc\/|var\/)/g, `${root}/`)
          .replaceAll("/opt/ironlease", repository)
          .replaceAll("https://rent.example", `https://localhost:${ports[0]}`)
          .replaceAll("localhost:8444", `localhost:${ports[1]}`)
          .replaceAll(/ -[og] ironlease(?= )/g, "")
          // PostgreSQL has its own tools, as the page says.
          .replaceAll(/^ironleased backup .*\n/gm, engine === "postgres" ? "" : "$&")
      );
    }

    /** What the machine of this test does not have: the wrapper of the installation, systemd and a public certificate. */
    const prelude = `
systemctl() { :; }
ironleased() (
  set -a
  . ${settingsFile}
  set +a
  exec ${process.execPath} ${repository}/packages/server/bin/ironleased.js "$@"
)
ironlease() {
  case "$1 $2" in
    "register "*) set -- "$@" --ca ${data}/tls/ca.pem --password-stdin ;;
    "order create") set -- "$@" --yes ;;
  esac
  printf %s '${password}' | ${process.execPath} ${repository}/packages/cli/bin/ironlease.js "$@"
}
`;

    async function follow(block: string) {
      const commands = adapted(block);
      if (block.includes("systemctl enable --now ironleased\n")) {
        const settings = parseEnv(readFileSync(settingsFile, "utf8")) as Record<string, string>;
        daemon = await startIronleased("serve", { ...settings, ...listeners() });
      }
      const env = { ...listeners(), XDG_CONFIG_HOME: join(root, "config") };
      const [step] = await runBlocks([commands], { folder: root, env, prelude });
      steps.push({ commands: block, output: step?.output ?? "" });
      if (block.includes("ironlease.env") && databaseUrl !== undefined) {
        appendFileSync(settingsFile, `IRONLEASE_DATABASE_URL="${databaseUrl}"\n`);
      }
    }

    /** Signs in as alice and sets up her second factor. */
    async function openDesk() {
      assert.ok(daemon);
      const { sendToDesk } = daemon;
      const [, secret] = /^password: (\S+)/m.exec(outputOf(steps, "operator add")) ?? [];
      const signedIn = await sendToDesk("POST", "/operator/v1/auth/login", {
        body: { username: "alice", password: secret },
      });
      const headers = {
        cookie: cookiesOf(signedIn).join("; "),
        "x-csrf-token": signedIn.json.csrfToken as string,
      };
      const send = async (path: string, body?: object) => {
        const method = body === undefined ? "GET" : "POST";
        const sent = { ...headers, "idempotency-key": randomUUID() };
        const answer = await sendToDesk(method, `/operator/v1/${path}`, { headers: sent, body });
        assert.ok(answer.status < 300, `${path}: ${answer.text}`);
        return answer.json;
      };
      const { secret: seed } = await send("auth/totp", {});
      await send("auth/totp/confirm", { code: totpCode(seed as string, Date.now()) });
      return send;
    }

    test("the installation creates the folders that commands write to before the first start", () => {
      for (const folder of ["var/lib/ironlease", "var/backups/ironlease"]) {
        assert.equal(
          statSync(join(root, folder), { throwIfNoEntry: false })?.mode,
          0o040700,
          folder,
        );
      }
    });

    test("its commands lead from an empty machine to a delivered server", async () => {
      const blocks = codeBlocks("docs/guides/go-live.md", "sh");
      const order = blocks.findIndex((block) => block.includes("order create"));
      for (const block of blocks.slice(0, order)) await follow(block);

      const desk = await openDesk();
      await desk("subnets", { regionId: "fra", cidr: "203.0.113.0/24" });
      const { accounts } = await desk("accounts?query=first-customer");
      await desk(`accounts/${accounts[0].id}/adjustments`, { usd: 30, reason: "First order." });
      for (const block of blocks.slice(order)) await follow(block);
      const { work } = await desk("work?kind=PROVISION");
      await desk(`work/${work[0].id}/claim`, {});
      await desk(`work/${work[0].id}/complete`, {});
      await follow("ironlease server list\n");

      assert.match(outputOf(steps, "ironleased settings"), /No problems found\.\n$/);
      assert.match(outputOf(steps, "catalogue import"), /7 FREE, 1 DIRTY/);
      assert.match(outputOf(steps, "readyz"), /ok/);
      assert.match(outputOf(steps, "ironleased verify"), /All invariants hold\./);
      assert.match(outputOf(steps, "metrics"), /^ironlease_database_up 1$/m);
      assert.match(steps.at(-2)?.output ?? "", /PROVISIONING +epyc-8-64/);
      assert.match(steps.at(-1)?.output ?? "", /ACTIVE +epyc-8-64/);
    });
  });
});
