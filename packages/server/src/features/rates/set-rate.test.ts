import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { operatorCall } from "#test/operators.ts";
import {
  createRatesCore,
  hourMs,
  outcomeOf,
  requestRate,
  type RatesCore,
} from "#test/operator-rates.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { freshRate } from "#kernel/fresh-rate.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { listRates } from "./list-rates.ts";
import { setRate } from "./set-rate.ts";

const minuteMs = 60_000;
const expired = { name: "SettlementUnavailable", message: /has expired/ };

forEachEngine((engine) => {
  describe("setting a rate", () => {
    let opened: RatesCore;
    let core: Core;
    let ada: OperatorCall;
    let bob: OperatorCall;
    beforeEach(async () => {
      opened = await createRatesCore(engine);
      ({ core, ada, bob } = opened);
    });
    afterEach(() => opened.dispose());

    const request = (by: OperatorCall, usd: number | string, ms?: number) =>
      outcomeOf(requestRate(core, by, usd, ms));
    const usdNow = async () => (await freshRate(core, "LTC")).rate;
    const audited = async () => {
      const query = core.db.read.selectFrom("audit").select(["actor", "action", "detail"]);
      const rows = await query.where("subject", "=", "LTC").orderBy("id").execute();
      return rows.map(({ actor, action, detail }) => [actor, action, JSON.parse(detail)]);
    };
    const live = (): Core => ({ ...core, settlement: { mode: "LIVE", chains: [] } });

    test("a rate is used until the time that the operator set, and not after", async () => {
      const entry = await valueOf(requestRate(core, ada, "80.00"));
      const validUntil = core.clock.now() + hourMs;
      assert.deepEqual([entry.kind, entry.usd, entry.validUntil], ["SET", "80.00", validUntil]);
      assert.deepEqual(await freshRate(core, "LTC"), {
        rate: "80.00",
        at: core.clock.now(),
        validUntil,
        sources: ["operator"],
        isSetByOperator: true,
      });
      opened.clock.advance(hourMs);
      assert.equal(await usdNow(), "80.00");
      opened.clock.advance(1);
      await assert.rejects(usdNow(), expired);
      await assert.rejects(freshRate(core, "BTC"), /no rate of BTC has been set/);
    });

    test("numbers and decimal strings are the same rate, and the audit names the one before", async () => {
      await request(ada, 80);
      await request(bob, "85.5");
      const validUntil = isoTime(core.clock.now() + hourMs);
      assert.deepEqual(await audited(), [
        [ada.operator.operatorId, "rate.set", { usd: "80.00", validUntil, previousUsd: null }],
        [bob.operator.operatorId, "rate.set", { usd: "85.50", validUntil, previousUsd: "80.00" }],
      ]);
    });

    test("a rate that is not a plain decimal above zero is refused with the field", async () => {
      const wrong = ["0", "-1", "1e5", "NaN", "", " 80", "80,5", "1000000000000", Number.NaN, 1e21];
      for (const usd of wrong) {
        const [field] = (await fieldsOf(requestRate(core, ada, usd))) ?? [];
        assert.equal(field?.field, "usd", String(usd));
      }
      await assert.rejects(usdNow(), /no rate of LTC has been set/);
    });

    test("validUntil is in the future, at most 24 hours ahead and a real time", async () => {
      assert.equal(await request(ada, 80, 24 * hourMs), "SET");
      for (const ms of [24 * hourMs + 1, 0, -1]) {
        const [field] = (await fieldsOf(requestRate(core, ada, 80, ms))) ?? [];
        assert.equal(field?.field, "validUntil", String(ms));
      }
      for (const validUntil of ["", "tomorrow", "2026-11-31T00:00:00.000Z", "2026-11-16"]) {
        const asked = setRate(core, ada, { asset: "LTC", usd: 80, validUntil });
        assert.equal((await fieldsOf(asked))?.[0]?.field, "validUntil", validUntil);
      }
    });

    test("an unknown asset is not found", async () => {
      const validUntil = isoTime(core.clock.now() + hourMs);
      for (const asset of ["DOGE", "ltc", "__proto__"]) {
        assert.equal(await codeOf(setRate(core, ada, { asset, usd: 80, validUntil })), "not_found");
      }
    });

    test("one operator changes a rate by up to 20 %, exactly", async () => {
      await request(ada, 100);
      assert.equal(await request(ada, "120.000000000000000001"), "PROPOSED");
      assert.equal(await request(ada, "79.999999999999999999"), "PROPOSED");
      assert.equal(await request(ada, 120), "SET");
      assert.equal(await request(ada, 96), "SET");
      assert.equal(await usdNow(), "96.00");
    });

    test("a larger change is a proposal until another operator requests the same rate", async () => {
      await request(ada, 100);
      assert.equal(await request(ada, "200.0"), "PROPOSED");
      assert.equal(await usdNow(), "100.00");
      assert.equal(await request(bob, 200), "SET");
      assert.equal(await usdNow(), "200.00");
      const [, proposed, confirmed] = await audited();
      const [usd, validUntil] = ["200.00", isoTime(core.clock.now() + hourMs)];
      const detail = { usd, validUntil, previousUsd: "100.00" };
      assert.deepEqual(proposed, [ada.operator.operatorId, "rate.propose", detail]);
      const proposedBy = ada.operator.operatorId;
      assert.deepEqual(confirmed, [
        ...[bob.operator.operatorId, "rate.set"],
        { ...detail, proposedBy },
      ]);
    });

    test("the same operator twice is one operator", async () => {
      await request(ada, 100);
      for (let time = 0; time < 3; time += 1) assert.equal(await request(ada, 200), "PROPOSED");
      assert.equal(await usdNow(), "100.00");
    });

    test("the change is measured against the last rate, even if it expired long ago", async () => {
      await request(ada, 100);
      opened.clock.advance(1_000 * hourMs);
      assert.equal(await request(ada, 200), "PROPOSED");
      assert.equal(await request(ada, 101), "SET");
    });

    test("another rate than the proposed one is a proposal of its own", async () => {
      await request(ada, 100);
      await request(ada, 200);
      assert.equal(await request(bob, "200.01"), "PROPOSED");
      assert.equal(await usdNow(), "100.00");
      assert.equal(await request(ada, "200.01"), "SET");
    });

    test("a proposal lapses after 30 minutes", async () => {
      await request(ada, 100);
      await request(ada, 200);
      opened.clock.advance(30 * minuteMs);
      assert.equal(await request(bob, 200), "PROPOSED");
      opened.clock.advance(30 * minuteMs - 1);
      assert.equal(await request(ada, 200), "SET");
    });

    test("a proposal lapses with its own validity, which also limits the rate that it becomes", async () => {
      await request(ada, 100);
      await request(ada, 200, 10 * minuteMs);
      opened.clock.advance(10 * minuteMs);
      assert.equal(await request(bob, 200, hourMs), "PROPOSED");
      const confirmed = await valueOf(requestRate(core, ada, 200, 5 * minuteMs));
      assert.deepEqual(
        [confirmed.kind, confirmed.validUntil],
        ["SET", core.clock.now() + 5 * minuteMs],
      );
    });

    test("a proposal lapses once any rate of the asset is set", async () => {
      await request(ada, 100);
      await request(ada, 200);
      assert.equal(await request(bob, 101), "SET");
      assert.equal(await request(bob, 200), "PROPOSED");
      // The confirmed one cannot be confirmed again either.
      assert.equal(await request(ada, 200), "SET");
      await request(ada, 100);
      await request(bob, 100);
      assert.equal(await request(ada, 200), "PROPOSED");
    });

    test("the first rate of an asset needs two operators where money is real", async () => {
      assert.equal(await outcomeOf(requestRate(live(), ada, 80)), "PROPOSED");
      await assert.rejects(usdNow(), /no rate of LTC has been set/);
      assert.equal(await outcomeOf(requestRate(live(), bob, 80)), "SET");
      assert.equal(await outcomeOf(requestRate(live(), bob, 81)), "SET");
    });

    test("of two operators who request the same rate at once, one proposes and one sets it", async () => {
      const other = await opened.reopen();
      await request(ada, 1);
      let usd = 1;
      for (let round = 0; round < 10; round += 1) {
        usd *= 2;
        const outcomes = await Promise.all([
          outcomeOf(requestRate(core, ada, usd)),
          outcomeOf(requestRate(other, bob, usd)),
        ]);
        assert.deepEqual(outcomes.toSorted(), ["PROPOSED", "SET"]);
        assert.equal(await usdNow(), `${usd}.00`);
      }
    });

    test("many requests of one operator at once never set a rate that needs two", async () => {
      const on = [core, await opened.reopen()];
      await request(ada, 100);
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, (_, index) => outcomeOf(requestRate(on[index % 2]!, ada, 200))),
      );
      assert.deepEqual(new Set(outcomes), new Set(["PROPOSED"]));
      assert.equal(await usdNow(), "100.00");
    });

    test("of many different rates at once, each is in the log once and the last one is used", async () => {
      const on = [core, await opened.reopen()];
      const operators = [ada, bob, await operatorCall(core, "finance")];
      await request(ada, 100);
      await Promise.all(
        Array.from({ length: 18 }, (_, index) =>
          requestRate(on[index % 2]!, operators[index % 3]!, 100 + index / 100),
        ),
      );
      const rows = await core.db.read
        .selectFrom("rates")
        .select(["sequence", "usd"])
        .orderBy("sequence")
        .execute();
      assert.deepEqual(
        rows.map(({ sequence }) => sequence),
        Array.from({ length: 19 }, (_, index) => index + 1),
      );
      assert.equal(await usdNow(), rows.at(-1)?.usd);
    });

    test("entries can be neither changed nor deleted", async () => {
      await request(ada, 100);
      const changes = [
        () =>
          core.db.write(async (tx) => {
            await tx.updateTable("rates").set({ usd: "1" }).execute();
            return { ok: true, value: undefined };
          }),
        () =>
          core.db.write(async (tx) => {
            await tx.deleteFrom("rates").execute();
            return { ok: true, value: undefined };
          }),
      ];
      for (const change of changes) await assert.rejects(change(), /append-only/);
      assert.equal(await usdNow(), "100.00");
    });

    test("the list shows each asset with its rate or the reason why there is none, and what is proposed", async () => {
      await request(ada, 100);
      await request(ada, 200);
      opened.clock.advance(minuteMs);
      await request(ada, 200, 2 * hourMs);
      await request(bob, 300);
      const now = core.clock.now();
      const { rates, proposals } = await listRates(core);
      assert.deepEqual(
        rates.map(({ asset }) => asset),
        ["BTC", "LTC", "XMR", "ETH", "USDC", "USDT"],
      );
      assert.deepEqual(rates.slice(0, 2), [
        { asset: "BTC", error: "no rate of BTC has been set" },
        {
          asset: "LTC",
          rate: {
            rate: "100.00",
            at: now - minuteMs,
            sources: ["operator"],
            isSetByOperator: true,
            validUntil: now - minuteMs + hourMs,
          },
          validUntil: now - minuteMs + hourMs,
        },
      ]);
      const expiresAt = now + 30 * minuteMs;
      const proposedBy = (call: OperatorCall) => call.operator.username;
      assert.deepEqual(proposals, [
        {
          asset: "LTC",
          usd: "200.00",
          at: now,
          validUntil: now + 2 * hourMs,
          proposedBy: proposedBy(ada),
          expiresAt,
        },
        {
          asset: "LTC",
          usd: "300.00",
          at: now,
          validUntil: now + hourMs,
          proposedBy: proposedBy(bob),
          expiresAt,
        },
      ]);
    });

    test("without a source of rates the list says so", async () => {
      const { rates } = await listRates({ ...core, rates: undefined });
      assert.deepEqual(rates[0], { asset: "BTC", error: "no source of rates is connected" });
    });
  });
});
