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

// What follows is checked by the compiler; a line that should not compile and does is an error.

const baseUrl = "https://rent.example";
const session = createSessionClient({ baseUrl });
const id = "srv_1";
const order = { configId: "c", regionId: "r", osId: "o", quantity: 1 };

/** Never called: these are about types, and calling them would send something. */
export const mistakes = {
  aPriceInAnOrder: () =>
    // @ts-expect-error -- the price is the service's
    session.placeOrder({ ...order, term: "weekly", price: 1 }),
  aTermThatIsNone: () =>
    // @ts-expect-error -- weekly or monthly
    session.placeOrder({ ...order, term: "yearly" }),
  mountWithoutImage: () =>
    // @ts-expect-error -- mount_iso needs an isoUrl
    session.requestAction({ id, action: "mount_iso" }),
  imageWithoutMount: () =>
    // @ts-expect-error -- only mount_iso takes an isoUrl
    session.requestAction({ id, action: "reboot", isoUrl: "https://example.com/x.iso" }),
  mountWithImage: () =>
    session.requestAction({ id, action: "mount_iso", isoUrl: "https://example.com/x.iso" }),
  aKeyWhereNoneIsTaken: () =>
    // @ts-expect-error -- reverse DNS takes no key
    session.setReverseDns({ id, ptr: "" }, { idempotencyKey: "12345678" }),
  quantityAsText: () =>
    // @ts-expect-error -- a number
    session.readQuote({ ...order, term: "weekly", quantity: "1" }),
};

const operator = createOperatorClient({ baseUrl });

export const deskMistakes = {
  aListWithoutFilters: () => [operator.listWork(), operator.listWork({ state: "OPEN" })],
  aVersionWhereNoneIsTaken: () =>
    // @ts-expect-error -- only the catalogue has versions
    operator.claimWork({ id }, { ifMatch: '"1"' }),
  aVersion: (document: Parameters<typeof operator.replaceCatalogue>[0]) =>
    operator.replaceCatalogue(document, { ifMatch: '"1"' }),
  aKeyForAnAdjustment: () =>
    operator.adjustBalance({ id, usd: 1, reason: "gift" }, { idempotencyKey: "12345678" }),
  aCodeOfTheOtherSide: () =>
    // @ts-expect-error -- operators have no API keys
    isOperatorError(undefined, "claimWork", "api_key_forbidden"),
};

const anyKey = createKeyClient({ baseUrl, apiKey: "svk_x" });
const billing = createKeyClient({ baseUrl, apiKey: "svk_x", scope: "billing" });

export const keyMistakes = {
  reads: () => [anyKey.listServers(), anyKey.readLedger(), anyKey.readCatalogue()],
  ofItsScope: () => [billing.readLedger(), billing.readHealth()],
  aChange: () =>
    // @ts-expect-error -- keys only read
    anyKey.placeOrder({ ...order, term: "weekly" }),
  aSignIn: () =>
    // @ts-expect-error -- signing in is a change too
    anyKey.signIn({ username: "ada", password: "x" }),
  outsideEveryScope: () =>
    // @ts-expect-error -- no scope covers the account
    anyKey.readAccount(),
  ofAnotherScope: () =>
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

/** Every code of an operation, told apart by the compiler alone. */
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
  // @ts-expect-error -- there is no such operation
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

test("the types reject misuse: see the comments in this file", () => {
  const checked = { ...mistakes, ...keyMistakes, ...deskMistakes };
  assert.equal(Object.keys(checked).length, 18);
});
