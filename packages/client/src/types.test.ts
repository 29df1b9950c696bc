import assert from "node:assert/strict";
import { test } from "node:test";
import { createOperatorClient, isOperatorError } from "./operator.ts";
import {
  createKeyClient,
  createSessionClient,
  isError,
  type AccountOperations,
  type ErrorCode,
} from "./index.ts";

// The compiler checks this file. A `@ts-expect-error` above a line that compiles is an error.

const baseUrl = "https://rent.example";
const session = createSessionClient({ baseUrl });
const id = "srv_1";
const order = { configId: "c", regionId: "r", osId: "o", quantity: 1 };

/** Never called, because they would send requests. */
export const mistakes = {
  orderWithPrice: () =>
    // @ts-expect-error -- the service sets the price
    session.placeOrder({ ...order, term: "weekly", price: 1 }),
  unknownTerm: () =>
    // @ts-expect-error -- must be weekly or monthly
    session.placeOrder({ ...order, term: "yearly" }),
  mountWithoutImage: () =>
    // @ts-expect-error -- mount_iso needs an isoUrl
    session.requestAction({ id, action: "mount_iso" }),
  imageWithoutMount: () =>
    // @ts-expect-error -- only mount_iso takes an isoUrl
    session.requestAction({ id, action: "reboot", isoUrl: "https://example.com/x.iso" }),
  mountWithImage: () =>
    session.requestAction({ id, action: "mount_iso", isoUrl: "https://example.com/x.iso" }),
  unsupportedKey: () =>
    // @ts-expect-error -- setReverseDns takes no idempotency key
    session.setReverseDns({ id, ptr: "" }, { idempotencyKey: "12345678" }),
  quantityAsText: () =>
    // @ts-expect-error -- must be a number
    session.readQuote({ ...order, term: "weekly", quantity: "1" }),
};

const operator = createOperatorClient({ baseUrl });

export const deskMistakes = {
  listWithoutFilters: () => [operator.listWork(), operator.listWork({ state: "OPEN" })],
  unsupportedVersion: () =>
    // @ts-expect-error -- only the catalogue has versions
    operator.claimWork({ id }, { ifMatch: '"1"' }),
  versionedCatalogue: (document: Parameters<typeof operator.replaceCatalogue>[0]) =>
    operator.replaceCatalogue(document, { ifMatch: '"1"' }),
  adjustmentWithKey: () =>
    operator.adjustBalance({ id, usd: 1, reason: "gift" }, { idempotencyKey: "12345678" }),
  codeOfTheAccountApi: () =>
    // @ts-expect-error -- operators have no API keys
    isOperatorError(undefined, "claimWork", "api_key_forbidden"),
};

const anyKey = createKeyClient({ baseUrl, apiKey: "svk_x" });
const billing = createKeyClient({ baseUrl, apiKey: "svk_x", scope: "billing" });

export const keyMistakes = {
  reads: () => [anyKey.listServers(), anyKey.readLedger(), anyKey.readCatalogue()],
  readsWithinScope: () => [billing.readLedger(), billing.readHealth()],
  change: () =>
    // @ts-expect-error -- API keys are read-only
    anyKey.placeOrder({ ...order, term: "weekly" }),
  signIn: () =>
    // @ts-expect-error -- signing in is a change
    anyKey.signIn({ username: "ada", password: "x" }),
  outsideEveryScope: () =>
    // @ts-expect-error -- no scope covers the account
    anyKey.readAccount(),
  readOfAnotherScope: () =>
    // @ts-expect-error -- billing covers the ledger only
    billing.listServers(),
};

export async function outcomes(): Promise<void> {
  const withdrawal = await session.requestWithdrawal({ asset: "BTC", destination: "x", usd: 1 });
  if (withdrawal.status === "RECORDED") {
    const recorded: string | null = withdrawal.id;
    void recorded;
  } else {
    const answered: string = withdrawal.id;
    void answered;
  }
  const mode = await session.setDdosMode({ id, mode: "ADVANCED" });
  const status: "QUEUED" | "UNCHANGED" = mode.status;
  void status;
}

/** Compiles only if the cases cover every error code of the operation. */
export function exhaustive(error: unknown): string {
  if (!isError(error, "readHealth")) return "not of readHealth";
  switch (error.code) {
    case "bad_request":
    case "misdirected_request":
    case "origin_rejected":
    case "uri_too_long":
    case "headers_too_large":
    case "expectation_failed":
    case "internal_error":
    case "service_unavailable":
      return error.code;
    default:
      return error.code satisfies never;
  }
}

export function narrowed(error: unknown): void {
  // @ts-expect-error -- an order never answers username_taken
  isError(error, "placeOrder", "username_taken");
  // @ts-expect-error -- unknown operation
  isError(error, "placeOrders");
  if (isError(error, "placeOrder", "insufficient_balance", "capacity_exhausted")) {
    const code: "insufficient_balance" | "capacity_exhausted" = error.code;
    void code;
  }
  if (isError(error, "placeOrder")) {
    const code: AccountOperations["placeOrder"]["errors"] = error.code;
    const known: ErrorCode = code;
    void known;
  }
}

test("the compiler rejects misuse of the client", () => {
  const checked = { ...mistakes, ...keyMistakes, ...deskMistakes };
  assert.equal(Object.keys(checked).length, 18);
});
