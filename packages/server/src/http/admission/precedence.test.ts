import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf, type Answer, type RequestOptions } from "#test/https-client.ts";
import { startTestService, type Customer, type TestService } from "#test/service.ts";
import { precedence } from "./precedence.ts";

/** One fault per step, in the order of the contract. */
interface Fault {
  readonly step: string;
  readonly code: string;
  readonly method?: string;
  readonly path?: string;
  readonly headers?: (ada: Customer, other: Customer) => RequestOptions["headers"];
  readonly rawBody?: string;
  readonly body?: unknown;
}

const faults: readonly Fault[] = [
  { step: "framing", code: "uri_too_long", path: `/api/v1/api-keys?${"x".repeat(4_100)}` },
  { step: "host", code: "misdirected_request", headers: () => ({ host: "evil.example" }) },
  { step: "route", code: "not_found", path: "/api/v1/no-such-thing" },
  { step: "origin", code: "origin_rejected", headers: () => ({ origin: "https://evil.example" }) },
  { step: "method", code: "method_not_allowed", method: "PATCH" },
  {
    step: "bearerOnChange",
    code: "api_key_forbidden",
    headers: () => ({ authorization: "Bearer x" }),
  },
  {
    step: "session",
    code: "authentication_required",
    headers: () => ({ cookie: "__Host-svc-session=gone; __Host-svc-csrf=gone" }),
  },
  {
    step: "csrfCookie",
    code: "session_invalid",
    headers: ({ cookie }) => ({ cookie: cookie.replace(/csrf=./, "csrf=") }),
  },
  { step: "csrfHeader", code: "csrf_failed", headers: () => ({ "x-csrf-token": "wrong" }) },
  {
    step: "contentType",
    code: "unsupported_media_type",
    headers: () => ({ "content-type": "text/plain" }),
  },
  { step: "size", code: "payload_too_large", rawBody: `{"a":"${"x".repeat(70_000)}` },
  { step: "json", code: "invalid_json", rawBody: "{" },
  { step: "fields", code: "validation_failed", body: { name: 1, scope: "read" } },
];

forEachEngine((engine) => {
  describe("which error wins", () => {
    let service: TestService;
    let ada: Customer;
    let other: Customer;
    before(async () => {
      service = await startTestService(engine);
      [ada, other] = [await service.register(), await service.register()];
    });
    after(() => service.close());

    const send = (chosen: readonly Fault[]) => {
      // The earlier fault is applied last, so that it overrides what the later one set.
      const merged: Fault = Object.assign({}, ...chosen.toReversed());
      const headers = chosen.toReversed().map((fault) => fault.headers?.(ada, other) ?? {});
      const body =
        merged.rawBody === undefined
          ? { body: merged.body ?? { name: "k", scope: "read" } }
          : { rawBody: merged.rawBody };
      return ada.send(merged.method ?? "POST", merged.path ?? "/api/v1/api-keys", {
        ...body,
        headers: Object.assign({}, ...headers),
      });
    };

    for (const fault of faults) {
      test(`a fault at ${fault.step} alone answers ${fault.code}`, async () => {
        assert.equal(codeOf(await send([fault])), fault.code);
      });
    }

    test("a request with two faults gets the error of the earlier step", async () => {
      for (const [index, first] of faults.entries()) {
        for (const second of faults.slice(index + 1)) {
          // Both faults would need the same body or path, so a request cannot have both.
          const isOneBody = first.rawBody !== undefined;
          if (isOneBody || (first.path !== undefined && second.path !== undefined)) continue;
          const answer = await send([first, second]);
          assert.equal(
            codeOf(answer),
            first.code,
            `${first.step} with ${second.step}: ${answer.text}`,
          );
        }
      }
    });
  });
});

/** Callers without permission, by the code they get. */
const permissionCodes: readonly [string, (service: TestService) => Promise<SendWith>][] = [
  [
    "account_frozen",
    async (service) => {
      const { username, send } = await service.register();
      await service.core.db.write(async (tx) => {
        const frozen = { frozen_at: service.clock.now(), frozen_reason: "Test." };
        await tx.updateTable("accounts").set(frozen).where("username", "=", username).execute();
        return { ok: true, value: undefined };
      });
      return (options) => send("POST", "/api/v1/orders", options);
    },
  ],
  [
    "role_forbidden",
    async (service) => {
      const { send } = await service.operator("support");
      return (options) => send("PUT", "/operator/v1/catalogue", options);
    },
  ],
  [
    "second_factor_required",
    async (service) => {
      const { send } = await service.operator("finance");
      return (options) => send("PUT", "/operator/v1/catalogue", options);
    },
  ],
];

type SendWith = (options: RequestOptions) => Promise<Answer>;

forEachEngine((engine) => {
  describe("which error wins without permission", () => {
    let service: TestService;
    before(async () => {
      service = await startTestService(engine, { mode: "serve" });
    });
    after(() => service.close());

    for (const [code, prepare] of permissionCodes) {
      test(`${code} is checked after the CSRF header and before the body`, async () => {
        const send = await prepare(service);
        const body = { rawBody: "{", headers: { "content-type": "text/plain" } };
        assert.equal(codeOf(await send(body)), code);
        const headers = { ...body.headers, "x-csrf-token": "wrong" };
        assert.equal(codeOf(await send({ ...body, headers })), "csrf_failed");
      });
    }
  });
});

test("the steps are those of the contract, in its order, with permission after the CSRF check", () => {
  assert.deepEqual(Object.keys(precedence), [
    "framing",
    "host",
    "route",
    "origin",
    "method",
    "bearerOnChange",
    "session",
    "csrfCookie",
    "csrfHeader",
    "permission",
    "contentType",
    "size",
    "json",
    "idempotencyKey",
    "fields",
  ]);
});
