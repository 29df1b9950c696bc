import assert from "node:assert/strict";
import { test } from "node:test";
import type { OperationRow } from "./api.ts";
import { accountApi } from "./generated/account.ts";
import { errorStatuses } from "./generated/errors.ts";
import { readAnswer } from "./read-answer.ts";

const placeOrder = accountApi.operations["placeOrder"]!;
const signOut = accountApi.operations["signOut"]!;
const setDdosMode = accountApi.operations["setDdosMode"]!;
const order = { id: "ord_1", status: "ACCEPTED", totalUsd: 49.99, serverIds: ["srv_1"] };
const refused = { error: { code: "insufficient_balance", message: "No ü.", requestId: "r" } };

function read(row: OperationRow, status: number, body: string | Uint8Array | undefined) {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  const whole = Uint8Array.from(bytes ?? []).buffer;
  return readAnswer(
    row,
    { status, headers: new Headers(), arrayBuffer: () => Promise.resolve(whole) },
    whole,
  );
}

test("a documented response is accepted, with additional fields", () => {
  assert.equal(read(placeOrder, 201, JSON.stringify({ ...order, news: 1 })).kind, "success");
  assert.equal(read(signOut, 204, undefined).kind, "success");
  assert.equal(read(placeOrder, 409, JSON.stringify(refused)).kind, "refusal");
});

test("a truncated response is unreadable", () => {
  const whole = JSON.stringify(order);
  for (let length = 0; length < whole.length; length += 1) {
    assert.equal(read(placeOrder, 201, whole.slice(0, length)).kind, "unreadable");
  }
});

test("a response with an invalid byte is unreadable", () => {
  for (const [status, body] of [
    [201, order],
    [409, refused],
  ] as const) {
    const whole = new TextEncoder().encode(JSON.stringify(body));
    for (let at = 0; at < whole.length; at += 1) {
      for (const flip of [0x80, whole[at]!]) {
        const garbled = Uint8Array.from(whole);
        garbled[at] = whole[at]! ^ flip;
        assert.equal(read(placeOrder, status, garbled).kind, "unreadable", `${at} ${flip}`);
      }
    }
  }
});

test("a response with another status or a missing field is unreadable", () => {
  const text = JSON.stringify(order);
  for (const status of [200, 202, 204, 301, 400, 500, 502]) {
    assert.equal(read(placeOrder, status, text).kind, "unreadable", String(status));
  }
  for (const field of Object.keys(order)) {
    const less = JSON.stringify({ ...order, [field]: undefined });
    assert.equal(read(placeOrder, 201, less).kind, "unreadable", field);
    const other = JSON.stringify({ ...order, [field]: null });
    assert.equal(read(placeOrder, 201, other).kind, "unreadable", field);
  }
  assert.equal(read(signOut, 204, "{}").kind, "unreadable");
});

test("a status word must match the HTTP status", () => {
  const answer = (status: string) =>
    JSON.stringify({ status, mode: "BASELINE", quoteRequired: false });
  assert.equal(read(setDdosMode, 200, answer("UNCHANGED")).kind, "success");
  assert.equal(read(setDdosMode, 202, answer("QUEUED")).kind, "success");
  assert.equal(read(setDdosMode, 200, answer("QUEUED")).kind, "unreadable");
});

test("a known error code must have its own status, and an unknown one may have any", () => {
  for (const [code, status] of Object.entries(errorStatuses)) {
    const body = JSON.stringify({ error: { ...refused.error, code } });
    assert.equal(read(placeOrder, status, body).kind, "refusal", code);
    assert.equal(read(placeOrder, 418, body).kind, "unreadable", code);
  }
  const newer = JSON.stringify({ error: { ...refused.error, code: "moon_eclipsed" } });
  assert.equal(read(placeOrder, 409, newer).kind, "refusal");
});
