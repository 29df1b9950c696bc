import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { isoTime } from "#kernel/iso-time.ts";

const hourMs = 3_600_000;

forEachEngine((engine) => {
  describe("rates at the operators' listener", () => {
    let service: TestService;
    let ada: SignedInOperator;
    let bob: SignedInOperator;
    before(async () => {
      service = await startTestService(engine, { settings: { IRONLEASE_SETTLEMENT: "none" } });
      ada = await service.operator("finance");
      bob = await service.operator("finance");
    });
    after(() => service.close());

    const put = (by: SignedInOperator, usd: unknown, asset = "LTC") => {
      const validUntil = isoTime(service.clock.now() + hourMs);
      return by.send("PUT", `/operator/v1/rates/${asset}`, { body: { usd, validUntil } });
    };

    test("a rate is 200 with the record, a change of more than 20 % is 202 and the second request 200", async () => {
      const first = await put(ada, "80.00");
      const [at, validUntil] = [service.clock.now(), service.clock.now() + hourMs].map(isoTime);
      const record = { asset: "LTC", usd: "80.00", at, validUntil, sources: ["operator"] };
      assert.deepEqual([first.status, first.json], [200, record]);
      for (let time = 0; time < 2; time += 1) {
        const pending = await put(ada, 160);
        assert.deepEqual([pending.status, pending.json], [202, { pending: true }]);
      }
      const expiresAt = isoTime(service.clock.now() + hourMs / 2);
      const listed = await ada.send("GET", "/operator/v1/rates");
      assert.equal(listed.status, 200, listed.text);
      assert.deepEqual(listed.json.proposals, [
        { asset: "LTC", usd: "160.00", at, validUntil, proposedBy: ada.username, expiresAt },
      ]);
      const confirmed = await put(bob, "160.0");
      assert.deepEqual([confirmed.status, confirmed.json], [200, { ...record, usd: "160.00" }]);
    });

    test("an unknown asset is 404, and wrong fields are 400 with their names", async () => {
      assert.equal((await put(ada, "80.00", "DOGE")).status, 404);
      for (const usd of ["1e5", 0, null, true, "9".repeat(40)]) {
        const answer = await put(ada, usd);
        assert.equal(answer.status, 400, answer.text);
        assert.equal(answer.json.error.fields[0].field, "usd");
      }
      const late = isoTime(service.clock.now() + 25 * hourMs);
      const answer = await ada.send("PUT", "/operator/v1/rates/LTC", {
        body: { usd: 80, validUntil: late },
      });
      assert.equal(answer.status, 400);
      assert.match(answer.text, /"validUntil","message":"must not be later than/);
    });

    test("support may read rates and not set them", async () => {
      const support = await service.operator("support");
      assert.equal((await put(support, "80.00")).status, 403);
      const { status, json } = await support.send("GET", "/operator/v1/rates");
      assert.equal(status, 200);
      assert.deepEqual(json.rates[0], {
        asset: "BTC",
        usd: null,
        at: null,
        validUntil: null,
        sources: [],
        error: "no source of rates is connected",
      });
    });
  });
});
