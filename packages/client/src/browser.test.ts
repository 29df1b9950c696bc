import assert from "node:assert/strict";
import { test } from "node:test";
import { answer, refusal } from "#test/scripted-service.ts";
import { sessionClient, type ClientOptions } from "./client.ts";
import type { AccountOperations } from "./generated/account-types.ts";
import { accountApi } from "./generated/account.ts";
import type { WireRequest } from "./wire.ts";

const page = "https://rent.example/console/orders";

interface Account {
  username: string;
  token: string;
}

/** A client in a browser page whose cookies belong to `account`, the last account to sign in. */
function openPage(account: Account, options: ClientOptions = {}) {
  const sent: { url: string; init: WireRequest }[] = [];
  const client = sessionClient<AccountOperations>(
    accountApi,
    {
      fetch: (url, init) => {
        sent.push({ url, init });
        if (url.endsWith("/me")) {
          const { username, token: csrfToken } = account;
          return Promise.resolve(answer(200, { username, balanceUsd: 1, csrfToken }));
        }
        if (url.endsWith("/login")) {
          const { username } = JSON.parse(init.body ?? "") as { username: string };
          Object.assign(account, { username, token: `${username}-token` });
          return Promise.resolve(answer(200, { username, csrfToken: account.token }));
        }
        if (url.endsWith("/orders")) return Promise.reject(new Error("reset"));
        return Promise.resolve(
          init.headers["x-csrf-token"] === account.token
            ? answer(200, { id: "net_1", ptr: account.username })
            : refusal(403, "csrf_failed"),
        );
      },
      ...options,
    },
    {},
    page,
  );
  return { client, sent };
}

const never = new Promise<void>(() => undefined);
const reverseDns = { id: "net_1", ptr: "web1.example.com" };

test("a page leaves cookies to the browser and calls only its own origin", async () => {
  const { client, sent } = openPage({ username: "ada", token: "t" });
  await client.readAccount();
  assert.equal(sent[0]?.url, "https://rent.example/api/v1/me");
  assert.equal(sent[0].init.credentials, "same-origin");
  assert.deepEqual(sent[0].init.headers, { accept: "application/json" });
  assert.throws(() => client.session.export(), { name: "UsageError" });
  assert.throws(
    () => openPage({ username: "ada", token: "t" }, { baseUrl: "https://other.example" }),
    { name: "UsageError" },
  );
});

test("a reloaded page fetches its CSRF token once, before its first change", async () => {
  const { client, sent } = openPage({ username: "ada", token: "t" });
  await client.setReverseDns(reverseDns);
  await client.setReverseDns(reverseDns);
  assert.deepEqual(
    sent.map(({ url }) => url.slice(url.lastIndexOf("/"))),
    ["/me", "/rdns", "/rdns"],
  );
});

test("the first change of a page reuses its key after an unknown outcome", async () => {
  const { client, sent } = openPage(
    { username: "ada", token: "t" },
    {
      attempts: 4,
      clock: { now: () => 0, wait: (ms) => (ms < 10_000 ? Promise.resolve() : never) },
    },
  );
  const order = { configId: "c", regionId: "r", osId: "o", term: "weekly", quantity: 1 } as const;
  await assert.rejects(client.placeOrder(order), { name: "OutcomeUnknown" });
  await assert.rejects(client.placeOrder(order), { name: "OutcomeUnknown" });
  const keys = sent.flatMap(({ init }) => init.headers["idempotency-key"] ?? []);
  assert.equal(keys.length, 8);
  assert.equal(new Set(keys).size, 1);
});

test("a CSRF token that another tab invalidated is refreshed if the account is the same", async () => {
  const account = { username: "ada", token: "first" };
  const { client } = openPage(account);
  await client.readAccount();
  account.token = "second";
  assert.equal((await client.setReverseDns(reverseDns)).ptr, "ada");
});

test("a change never reaches an account that another tab has signed in to since", async () => {
  const account = { username: "ada", token: "ada-token" };
  const { client } = openPage(account);
  await client.readAccount();
  Object.assign(account, { username: "bob", token: "bob-token" });
  await assert.rejects(client.setReverseDns(reverseDns), { code: "csrf_failed" });
  await assert.rejects(client.setReverseDns(reverseDns), { code: "csrf_failed" });
  // After the page has read the account, it acts for that account.
  await client.readAccount();
  assert.equal((await client.setReverseDns(reverseDns)).ptr, "bob");
});

test("a page that signs in as another user uses the new token immediately", async () => {
  const account = { username: "ada", token: "ada-token" };
  const { client, sent } = openPage(account);
  await client.readAccount();
  await client.signIn({ username: "bob", password: "a long pass phrase" });
  await client.setReverseDns(reverseDns);
  assert.equal(sent.at(-1)?.init.headers["x-csrf-token"], "bob-token");
});
