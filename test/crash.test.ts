import assert from "node:assert/strict";
import { test } from "node:test";
import type { Engine } from "../packages/server/src/ports/db.ts";
import { forEachEngine } from "./support/engines.ts";
import { codeOf, type Answer, type Send } from "./support/https-client.ts";
import { runIronleased, startIronleased, temporaryFolder, type Daemon } from "./support/daemon.ts";
import { customerOf, password } from "./support/service.ts";
import { createTestDatabase } from "./support/test-database.ts";

const rounds = 5;
const requestsPerRound = 16;
const destination = "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed";

interface Request {
  readonly kind: "order" | "withdrawal";
  readonly key: string;
  readonly body: object;
}

type Environment = { readonly IRONLEASE_DATA: string } & Readonly<Record<string, string>>;

forEachEngine((engine) => {
  test(`kill -9 in the middle of orders and withdrawals, ${rounds} times: nothing acknowledged is lost`, async () => {
    const env = await environment(engine);
    const { cookie, csrfToken } = await fund(env);
    const acknowledged: { readonly request: Request; readonly id: string }[] = [];
    let daemon = await startIronleased("preview", env);
    for (let round = 0; round < rounds; round += 1) {
      const requests = Array.from({ length: requestsPerRound }, (_, index) =>
        requestOf(round, index),
      );
      const send = signedIn(daemon, cookie, csrfToken);
      const answers = await killUnder(daemon, send, requests, 1 + ((round * 7) % requestsPerRound));
      for (const [index, answer] of answers.entries()) {
        const request = requests[index] ?? assert.fail();
        if (answer?.status === 201) acknowledged.push({ request, id: answer.json.id });
      }
      daemon = await startIronleased("preview", env);
      await assertConverges(signedIn(daemon, cookie, csrfToken), requests, acknowledged);
    }
    assert.equal(await daemon.stop(), 0);
    const verified = await runIronleased(["verify"], env);
    assert.equal(verified.code, 0, verified.stdout);
  });
});

async function environment(engine: Engine): Promise<Environment> {
  const env = { IRONLEASE_DATA: temporaryFolder(), IRONLEASE_AUTH_LIMITS: "off" };
  if (engine === "sqlite") return env;
  return { ...env, IRONLEASE_DATABASE_URL: (await createTestDatabase()).url };
}

/** A customer with money for all of it. */
async function fund(env: Environment): Promise<{ cookie: string; csrfToken: string }> {
  const daemon = await startIronleased("preview", env);
  const answer = await daemon.send("POST", "/api/v1/auth/register", {
    body: { username: "ada", password },
  });
  const ada = customerOf(daemon.send, answer, "ada");
  const headers = { "idempotency-key": "crash-deposit" };
  const { json } = await ada.send("POST", "/api/v1/deposit-addresses", {
    body: { asset: "USDT" },
    headers,
  });
  const paid = await runIronleased(["simulate-payment", json.address, "90000"], env);
  assert.equal(paid.code, 0, paid.stderr);
  await daemon.stop();
  return ada;
}

function signedIn(daemon: Daemon, cookie: string, csrfToken: string): Send {
  return (method, path, options = {}) =>
    daemon.send(method, path, {
      ...options,
      headers: { cookie, "x-csrf-token": csrfToken, ...options.headers },
    });
}

function requestOf(round: number, index: number): Request {
  const key = `crash-${round}-${index}`;
  if (index % 2 === 1)
    return { kind: "withdrawal", key, body: { asset: "ETH", destination, usd: 10 + index } };
  const regionId = ["fra", "ams", "iad", "lax", "sin"][round % 5] ?? "fra";
  return {
    kind: "order",
    key,
    body: { configId: "metal-s", regionId, osId: "debian-13", term: "weekly", quantity: 1 },
  };
}

function submit(send: Send, { kind, key, body }: Request): Promise<Answer> {
  const path = kind === "order" ? "/api/v1/orders" : "/api/v1/withdrawals";
  return send("POST", path, { body, headers: { "idempotency-key": key } });
}

/** Kills the process as soon as so many have been acknowledged; the rest get no answer, or some do. */
async function killUnder(
  daemon: Daemon,
  send: Send,
  requests: readonly Request[],
  after: number,
): Promise<readonly (Answer | undefined)[]> {
  let answered = 0;
  const settled = await Promise.allSettled(
    requests.map(async (request) => {
      const answer = await submit(send, request);
      answered += 1;
      if (answered === after) daemon.child.kill("SIGKILL");
      return answer;
    }),
  );
  await daemon.stop("SIGKILL");
  return settled.map((one) => (one.status === "fulfilled" ? one.value : undefined));
}

/** Everything acknowledged is there; sending every key again ends with each done exactly once. */
async function assertConverges(
  send: Send,
  requests: readonly Request[],
  acknowledged: readonly { readonly request: Request; readonly id: string }[],
): Promise<void> {
  const answers = await Promise.all(requests.map((request) => submit(send, request)));
  for (const [index, answer] of answers.entries()) {
    const request = requests[index] ?? assert.fail();
    const before = acknowledged.find((one) => one.request.key === request.key);
    if (request.kind === "withdrawal" && before !== undefined) {
      assert.equal(codeOf(answer), "idempotency_conflict", answer.text);
    } else if (before !== undefined) {
      assert.equal(answer.json.id, before.id, "a replay names the order that was acknowledged");
    } else {
      // It was done before the crash and its answer was lost, or it is done now; never twice.
      assert.ok(answer.status === 201 || codeOf(answer) === "idempotency_conflict", answer.text);
    }
  }
  const { json } = await send("GET", "/api/v1/ledger");
  const held = json.entries.filter((entry: { type: string }) => entry.type === "WITHDRAWAL_HOLD");
  assert.equal(
    new Set(held.map((entry: { reference: { id: string } }) => entry.reference.id)).size,
    held.length,
  );
}
