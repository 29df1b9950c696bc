import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { skipWithout } from "#test/components.ts";
import { runIronleased, startIronleased, temporaryFolder } from "#test/daemon.ts";
import { forEachEngine } from "#test/engines.ts";
import { findFreePort } from "#test/free-port.ts";
import { startPebble, type Pebble } from "#test/pebble.ts";
import { startTestService } from "#test/service.ts";

const name = "rent.example";
const dayMs = 86_400_000;

interface Seen {
  readonly status: number | undefined;
  readonly fingerprint: string | undefined;
  readonly isReused: boolean;
}

/** Connects to this machine as a client of `rent.example` would. */
function visit(url: string, ca: string, agent = new Agent()): Promise<Seen> {
  const options = {
    ...{ host: "127.0.0.1", port: new URL(url).port, path: "/api/v1/catalogue" },
    ...{ servername: name, headers: { host: name }, ca, agent },
  };
  return new Promise((resolve, reject) => {
    const sent = request(options, (response) => {
      const fingerprint = (response.socket as TLSSocket).getPeerX509Certificate()?.fingerprint256;
      response.resume().once("end", () => {
        resolve({ status: response.statusCode, fingerprint, isReused: sent.reusedSocket });
      });
    });
    sent.once("error", reject).end();
  });
}

describe("a service with a certificate by ACME", { skip: await skipWithout("pebble") }, () => {
  let pebble: Pebble;
  let root = "";
  before(async () => {
    pebble = await startPebble();
    root = await pebble.root();
  });
  after(() => pebble.stop());

  const settings = (httpPort: number) => ({
    IRONLEASE_TLS: "acme",
    IRONLEASE_ACME_DIRECTORY: pebble.directoryUrl,
    IRONLEASE_ACME_HTTP_LISTEN: `127.0.0.1:${httpPort}`,
    IRONLEASE_ORIGIN: `https://${name}`,
  });

  forEachEngine((engine) => {
    test("the first start gets one, and a renewal under load drops no connection", async (t) => {
      const service = await startTestService(engine, {
        mode: "serve",
        settings: settings(pebble.httpPort),
      });
      t.after(() => service.close());
      const { url, clock, core, logged, reloadCertificate } = service;
      while (!logged.some((line) => line.includes("replaced the certificate"))) await delay(20);
      const first = await visit(url, root);
      assert.equal(first.status, 200);
      await assert.rejects(visit(service.operatorUrl, root), /self-signed|unable to/);

      const controller = new AbortController();
      const agents = Array.from({ length: 4 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
      const loads = agents.map(async (agent) => {
        const seen: Seen[] = [];
        while (!controller.signal.aborted) seen.push(await visit(url, root, agent));
        agent.destroy();
        return seen;
      });
      const newcomers = async () => {
        const seen: Seen[] = [];
        do seen.push(await visit(url, root));
        while (seen.at(-1)?.fingerprint === first.fingerprint);
        return seen;
      };
      clock.advance(61 * dayMs);
      reloadCertificate();
      const met = await Promise.race([newcomers(), ...loads]);
      controller.abort();
      for (const seen of [met, ...(await Promise.all(loads))]) {
        assert.ok(seen.every(({ status }) => status === 200));
      }
      for (const seen of await Promise.all(loads)) {
        assert.ok(seen.slice(1).every(({ isReused }) => isReused));
        assert.ok(seen.every(({ fingerprint }) => fingerprint === first.fingerprint));
      }
      assert.notEqual(met.at(-1)?.fingerprint, first.fingerprint);
      const stored = await core.db.read.selectFrom("acme_certificates").selectAll().execute();
      assert.equal(stored.length, 1);
    });
  });

  test("while none is issued, the service runs, and log, metrics and doctor say why", async (t) => {
    const folder = mkdtempSync(join(tmpdir(), "ironlease-acme-"));
    t.after(() => rmSync(folder, { recursive: true }));
    const ca = join(folder, "ca.pem");
    writeFileSync(ca, pebble.tls.ca);
    // Nothing answers at the port where the authority asks.
    const env = {
      ...settings(await findFreePort()),
      IRONLEASE_DATA: temporaryFolder(),
      NODE_EXTRA_CA_CERTS: ca,
    };
    const before = await runIronleased(["doctor"], env);
    assert.match(
      before.stdout,
      /^ok {3}certificate: the next start will order one for rent\.example$/m,
    );
    const daemon = await startIronleased("serve", env);
    while (!daemon.output().includes("kept the current certificate")) await delay(20);
    assert.match(
      daemon.output(),
      /rent\.example was not proved: connection: .+ The next attempt is at/,
    );
    const { text } = await daemon.sendToDesk("GET", "/metrics");
    assert.match(text, /^ironlease_certificate_expiry_timestamp_seconds\{listener="account"\} 0$/m);
    assert.match(
      text,
      /^ironlease_certificate_expiry_timestamp_seconds\{listener="operator"\} [1-9]/m,
    );
    const during = await runIronleased(["doctor"], env);
    assert.equal(during.code, 1);
    assert.match(
      during.stdout,
      /^BAD {2}certificate: none issued for rent\.example: rent\.example was not proved: connection: .+ The next attempt is at \S+Z$/m,
    );
    assert.equal(await daemon.stop(), 0);
  });

  test("settings without a public host name are refused", async () => {
    const env = {
      ...settings(0),
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_ORIGIN: "https://192.0.2.1",
    };
    const { code, stderr } = await runIronleased(["serve"], env);
    assert.notEqual(code, 0);
    assert.match(stderr, /IRONLEASE_TLS=acme needs public host names in IRONLEASE_ORIGIN/);
  });
});
