import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { startTestService, type TestService } from "#test/service.ts";

interface Document {
  readonly paths: Readonly<Record<string, unknown>>;
}

/** Where a client finds it without knowing the API. */
const wellKnown = new Set(["/.well-known/ironlease-statement-keys.json"]);

describe("each listener serves its own API reference without a sign-in", () => {
  let service: TestService;
  before(async () => {
    service = await startTestService("sqlite");
  });
  after(() => service.close());

  const sides = [
    { side: "account", path: "/api/openapi.json", prefix: "/api/" },
    { side: "operator", path: "/operator/openapi.json", prefix: "/operator/" },
  ] as const;
  const send = (side: (typeof sides)[number]["side"], path: string) =>
    side === "account" ? service.send("GET", path) : service.sendToDesk("GET", path);

  for (const { side, path, prefix } of sides) {
    test(`${side}: the OpenAPI document has only its own paths and is 404 on the other listener`, async () => {
      const answer = await send(side, path);
      assert.equal(answer.status, 200);
      assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
      const document = answer.json as unknown as Document;
      const foreign = Object.keys(document.paths).filter(
        (each) => !each.startsWith(prefix) && !wellKnown.has(each),
      );
      assert.deepEqual(foreign, []);
      assert.ok(path in document.paths);
      assert.equal((await send(side === "account" ? "operator" : "account", path)).status, 404);
    });

    test(`${side}: the examples on /docs call the requested host`, async () => {
      const page = await send(side, "/docs");
      assert.equal(page.status, 200);
      assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
      const address = side === "account" ? service.url : service.operatorUrl;
      assert.ok(page.text.includes(`curl &quot;${address}/`));
      assert.ok(page.text.includes(`href="${path}"`));
      const files = [...page.text.matchAll(/(?:src|href)="(\/docs\/[^"]+)"/g)];
      for (const [, file = ""] of files) {
        assert.equal((await send(side, file)).status, 200, file);
      }
    });
  }
});
