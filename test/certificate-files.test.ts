import assert from "node:assert/strict";
import { mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { TLSSocket } from "node:tls";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { startTestService } from "#test/service.ts";
import type { CertificatePair } from "#server/adapters/system/certificate-files.ts";
import { issueAuthority, issueLeaf } from "#server/adapters/system/issue-certificate.ts";

const folder = mkdtempSync(join(tmpdir(), "ironlease-certificates-"));
after(() => rmSync(folder, { recursive: true }));

const authority = await issueAuthority(Date.now());
const ca = authority.certificate.toString();
const newPair = () => issueLeaf(authority, ["localhost"], Date.now(), 90 * 86_400_000);
const [first, second, third] = await Promise.all([newPair(), newPair(), newPair()]);

const certificatePath = join(folder, "own.crt");
const keyPath = join(folder, "own.key");
const setting = { IRONLEASE_TLS: `${certificatePath},${keyPath}` };

/** The service may read at any time, so it must never find half a file. */
function install({ certificate }: CertificatePair, { keyPem }: CertificatePair): void {
  replaceFile(certificatePath, certificate.toString());
  replaceFile(keyPath, keyPem);
}

function replaceFile(path: string, text: string): void {
  writeFileSync(`${path}.new`, text);
  renameSync(`${path}.new`, path);
}

interface Seen {
  readonly status: number | undefined;
  readonly fingerprint: string | undefined;
  readonly isReused: boolean;
}

function visit(url: string, path: string, agent = new Agent({ ca })): Promise<Seen> {
  return new Promise((resolve, reject) => {
    const sent = request(new URL(path, url), { agent }, (response) => {
      const socket = response.socket as TLSSocket;
      const fingerprint = socket.getPeerX509Certificate()?.fingerprint256;
      response.resume().once("end", () => {
        resolve({ status: response.statusCode, fingerprint, isReused: sent.reusedSocket });
      });
    });
    sent.once("error", reject).end();
  });
}

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await isTrue())) await delay(20);
}

const serves = async (url: string, path: string, { certificate }: CertificatePair) =>
  (await visit(url, path)).fingerprint === certificate.fingerprint256;

describe("certificate files", () => {
  test("new files reach new connections of both listeners, and open connections stay open", async (t) => {
    install(first, first);
    const service = await startTestService("sqlite", { settings: setting });
    t.after(() => service.close());
    const listeners = [
      { url: service.url, path: "/api/v1/catalogue", agent: new Agent({ ca, keepAlive: true }) },
      { url: service.operatorUrl, path: "/healthz", agent: new Agent({ ca, keepAlive: true }) },
    ];
    t.after(() => listeners.forEach(({ agent }) => agent.destroy()));
    for (const { url, path, agent } of listeners) {
      const { fingerprint } = await visit(url, path, agent);
      assert.equal(fingerprint, first.certificate.fingerprint256);
    }

    install(second, second);
    for (const { url, path, agent } of listeners) {
      await until(() => serves(url, path, second));
      assert.deepEqual(await visit(url, path, agent), {
        status: 200,
        fingerprint: first.certificate.fingerprint256,
        isReused: true,
      });
    }
    const { text } = await serviceMetrics(service.operatorUrl);
    const expiry = second.certificate.validToDate.getTime() / 1000;
    assert.match(
      text,
      new RegExp(
        `^ironlease_certificate_expiry_timestamp_seconds\\{listener="operator"\\} ${expiry}$`,
        "m",
      ),
    );
  });

  test("a pair that cannot be used is logged once, the old one stays, and SIGHUP reads again", async (t) => {
    install(first, first);
    const data = temporaryFolder();
    const daemon = await startIronleased("serve", { IRONLEASE_DATA: data, ...setting }, { ca });
    t.after(() => daemon.child.kill("SIGKILL"));
    const refusals = () => daemon.output().match(/kept the current certificate/g)?.length ?? 0;

    install(second, first);
    await until(() => refusals() === 1);
    const failures = async () =>
      Number(
        /^ironlease_pass_failures_total\{pass="certificate"\} (\d+)$/m.exec(
          (await serviceMetrics(daemon.operatorUrl)).text,
        )?.[1],
      );
    const before = await failures();
    await until(async () => (await failures()) > before);
    assert.equal(refusals(), 1);
    assert.match(daemon.output(), /The key file [^"]+ does not match/);
    assert.ok(await serves(daemon.url, "/api/v1/catalogue", first));

    daemon.child.kill("SIGHUP");
    await until(() => refusals() === 2);
    install(third, third);
    daemon.child.kill("SIGHUP");
    await until(() => serves(daemon.url, "/api/v1/catalogue", third));
    await until(() => serves(daemon.operatorUrl, "/healthz", third));
    assert.equal(refusals(), 2);
    assert.equal(await daemon.stop(), 0);
  });
});

async function serviceMetrics(operatorUrl: string): Promise<{ readonly text: string }> {
  return new Promise((resolve, reject) => {
    request(new URL("/metrics", operatorUrl), { ca }, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
      response.once("end", () => resolve({ text }));
    })
      .once("error", reject)
      .end();
  });
}
