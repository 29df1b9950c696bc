import assert from "node:assert/strict";
import { randomBytes, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { createServer as createHttpServer, type Server } from "node:http";
import { createServer as createHttpsServer, request } from "node:https";
import type { AddressInfo } from "node:net";
import { after, before, describe, test, type TestContext } from "node:test";
import { connectAcme } from "#server/adapters/acme/acme-authority.ts";
import { keepCertificate } from "#server/features/certificates/keep-certificate.ts";
import { findChallenge } from "#server/features/certificates/challenges.ts";
import { readCertificate, readState } from "#server/features/certificates/stored-certificate.ts";
import { createChallengeServer } from "#server/http/challenge-server.ts";
import { createLog } from "#server/adapters/system/log.ts";
import type { Core } from "#server/kernel/core.ts";
import { skipWithout } from "#test/components.ts";
import { sealingWith } from "#test/bare-core.ts";
import { createTestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { startPebble, type Pebble } from "#test/pebble.ts";

const missing = await skipWithout("pebble");
const log = createLog("silent", { write: () => {} });
const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe("certificates by ACME", { skip: missing }, () => {
  let pebble: Pebble;
  before(async () => {
    pebble = await startPebble();
  });
  after(() => pebble.stop());

  /** Listens where the authority asks for challenges. */
  const answerChallenges = async (t: TestContext, server: Server) => {
    server.listen(pebble.httpPort, "127.0.0.1");
    await once(server, "listening");
    t.after(async () => {
      server.closeAllConnections();
      await once(server.close(), "close");
    });
  };
  const scope = (...names: string[]) => ({ directory: pebble.directoryUrl, names });
  const authority = (directoryUrl = pebble.directoryUrl) =>
    connectAcme({ directoryUrl, contact: "ops@rent.example", userAgent: "test" });

  forEachEngine((engine) => {
    const open = async (t: TestContext) => {
      const opened = await createTestCore(engine);
      t.after(() => opened.dispose());
      return opened;
    };

    test("the first start orders one for all names, and others read it", async (t) => {
      const opened = await open(t);
      const { core } = opened;
      const names = scope("rent.example", "desk.rent.example");
      await answerChallenges(t, createChallengeServer(core, log));
      const issued = await keepCertificate(core, authority(), names);
      assert.ok(issued !== undefined);
      const leaf = new X509Certificate(issued.certificatePem);
      for (const name of names.names) assert.equal(leaf.checkHost(name), name);
      assert.match(issued.certificatePem, /(-----BEGIN CERTIFICATE-----[^]+){2}/);

      const other = await opened.reopen();
      t.after(() => other.db.close());
      assert.deepEqual(await readCertificate(other, names), issued);
      assert.deepEqual(await keepCertificate(other, authority(), names), issued);
      assert.equal(await keepCertificate(core, authority(), names, { known: issued }), issued);
    });

    test("the private keys are sealed, and challenges are deleted", async (t) => {
      const { core } = await open(t);
      await answerChallenges(t, createChallengeServer(core, log));
      await keepCertificate(core, authority(), scope("rent.example"));
      const accounts = await core.db.read.selectFrom("acme_accounts").selectAll().execute();
      const stored = await core.db.read.selectFrom("acme_certificates").selectAll().execute();
      assert.equal(accounts.length, 1);
      assert.equal(stored.length, 1);
      assert.doesNotMatch(JSON.stringify([accounts, stored]), /PRIVATE KEY/);
      assert.deepEqual(await core.db.read.selectFrom("acme_challenges").selectAll().execute(), []);
    });

    test("after two thirds of its life one is renewed, once, by one of two instances", async (t) => {
      const opened = await open(t);
      const { core, clock } = opened;
      const other = await opened.reopen();
      t.after(() => other.db.close());
      await answerChallenges(t, createChallengeServer(other, log));
      const names = scope("rent.example");
      const first = await keepCertificate(core, authority(), names);
      assert.ok(first !== undefined);
      clock.advance(first.startsAt + 59 * dayMs - clock.now());
      assert.deepEqual(await keepCertificate(core, authority(), names), first);
      clock.advance(2 * dayMs);
      let orders = 0;
      const counting = {
        order: (order: Parameters<ReturnType<typeof authority>["order"]>[0]) => {
          orders += 1;
          return authority().order(order);
        },
      };
      await Promise.all([core, other].map((each) => keepCertificate(each, counting, names)));
      assert.equal(orders, 1);
      const [renewed, seen] = await Promise.all(
        [core, other].map((each) => keepCertificate(each, counting, names)),
      );
      assert.notEqual(renewed?.fingerprint256, first.fingerprint256);
      assert.deepEqual(seen, renewed);
      assert.equal(orders, 1);
    });

    test("a wrong answer to the challenge leaves the old certificate, and attempts back off", async (t) => {
      const { core, clock } = await open(t);
      const wrong = createHttpServer((_, response) => response.end("another site"));
      await answerChallenges(t, wrong);
      const names = scope("rent.example");
      const keep = () => keepCertificate(core, authority(), names);
      await assert.rejects(
        keep(),
        /rent\.example was not proved: unauthorized: .+ The next attempt/,
      );
      assert.equal(await keep(), undefined, "too early for another attempt");
      const pauses: number[] = [];
      for (let attempt = 0; attempt < 3; attempt += 1) {
        const { dueAt = 0 } = (await readState(core.db.read, names)) ?? {};
        pauses.push((dueAt - clock.now()) / minuteMs);
        clock.advance(dueAt - clock.now());
        await assert.rejects(keep());
      }
      assert.deepEqual(pauses, [1, 2, 4]);
      assert.deepEqual(await core.db.read.selectFrom("acme_challenges").selectAll().execute(), []);
    });

    test("a rate limit is waited for as long as the authority says, at most a day", async (t) => {
      const { core, clock } = await open(t);
      const names = scope("rent.example");
      let retryAfter = "7200";
      const directoryUrl = await startLimitingProxy(t, pebble, () => retryAfter);
      const keep = () => keepCertificate(core, authority(directoryUrl), names);
      const pauseMs = async () =>
        ((await readState(core.db.read, names))?.dueAt ?? 0) - clock.now();
      await assert.rejects(keep(), /rateLimited: too many certificates \(5\) already issued/);
      assert.equal(await pauseMs(), 2 * 60 * minuteMs);
      retryAfter = "99999999";
      clock.advance(2 * 60 * minuteMs);
      await assert.rejects(keep(), /rateLimited/);
      assert.equal(await pauseMs(), dayMs);
      retryAfter = new Date(0).toUTCString();
      clock.advance(dayMs);
      await assert.rejects(keep(), /rateLimited/);
      assert.equal(await pauseMs(), 4 * minuteMs, "a time in the past is no limit");
    });

    test("a certificate whose key cannot be opened is ordered again", async (t) => {
      const { core } = await open(t);
      await answerChallenges(t, createChallengeServer(core, log));
      const names = scope("rent.example");
      const first = await keepCertificate(core, authority(), names);
      const otherKey: Core = { ...core, sealing: sealingWith(randomBytes(32)) };
      assert.equal(await readCertificate(otherKey, names), undefined);
      const second = await keepCertificate(otherKey, authority(), names);
      assert.notEqual(second?.fingerprint256, first?.fingerprint256);
    });
  });

  test("an authority that does not answer or answers nonsense is a failed order", async (t) => {
    const opened = await createTestCore("sqlite");
    t.after(() => opened.dispose());
    const { core } = opened;
    const server = createHttpsServer(pebble.tls, (_, response) => response.end("<html>"));
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const directoryUrl = `https://127.0.0.1:${(server.address() as AddressInfo).port}/dir`;
    const names = { directory: directoryUrl, names: ["rent.example"] };
    await assert.rejects(
      keepCertificate(core, authority(directoryUrl), names),
      /the authority gave no valid newAccount/,
    );
    await once(server.close(), "close");
    await assert.rejects(
      keepCertificate(core, authority(directoryUrl), { ...names, names: ["other.example"] }),
      /127\.0\.0\.1:\d+ does not answer: .*ECONNREFUSED/,
    );
  });

  test("the challenge listener answers challenges only", async (t) => {
    const opened = await createTestCore("sqlite");
    t.after(() => opened.dispose());
    const { core } = opened;
    await answerChallenges(t, createChallengeServer(core, log));
    const url = `http://127.0.0.1:${pebble.httpPort}`;
    for (const path of [
      "/",
      "/api/v1/me",
      "/.well-known/acme-challenge/",
      "/.well-known/acme-challenge/x",
    ]) {
      assert.equal((await fetch(url + path)).status, 404);
    }
    assert.equal(await findChallenge(core, "x"), undefined);
  });
});

/** Forwards to Pebble, but refuses orders as an authority with rate limits does. */
async function startLimitingProxy(
  t: TestContext,
  pebble: Pebble,
  retryAfter: () => string,
): Promise<string> {
  const proxy = createHttpsServer(pebble.tls, (incoming, response) => {
    if (incoming.url?.includes("order-plz") === true) {
      response.writeHead(429, {
        "content-type": "application/problem+json",
        "retry-after": retryAfter(),
      });
      const detail = "too many certificates (5) already issued for this exact set of identifiers";
      response.end(JSON.stringify({ type: "urn:ietf:params:acme:error:rateLimited", detail }));
      return;
    }
    const { method = "GET", headers } = incoming;
    const options = { method, headers, ca: pebble.tls.ca };
    const forwarded = request(new URL(incoming.url ?? "", pebble.directoryUrl), options);
    forwarded.once("response", (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    incoming.pipe(forwarded);
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  t.after(async () => {
    proxy.closeAllConnections();
    await once(proxy.close(), "close");
  });
  return `https://127.0.0.1:${(proxy.address() as AddressInfo).port}/dir`;
}
