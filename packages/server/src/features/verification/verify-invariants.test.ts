import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { sql } from "kysely";
import { register, type TestCore } from "#test/core.ts";
import { createDepositCore, depositCoins } from "#test/deposits.ts";
import {
  completeNow,
  queueDdos,
  queueProvision,
  queueReclaim,
  queueWithdrawal,
} from "#test/desk.ts";
import { forEachEngine } from "#test/engines.ts";
import { signLiabilities } from "#test/liabilities.ts";
import { operatorCall } from "#test/operators.ts";
import { offer } from "#test/quotes.ts";
import { adjust } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";
import { valueOf } from "#test/use-cases.ts";
import { claimWork } from "#test/work.ts";
import { queueWork } from "#kernel/work-queue/items.ts";
import { ok, refuse } from "#kernel/result.ts";
import { verifyInvariants } from "./verify-invariants.ts";

/** Each statement makes a change that the service never makes. The number is that of the invariant it violates. */
const tamperings: readonly (readonly [number, string, string])[] = [
  [2, "a balance", "update balances set available_cents = available_cents + 1"],
  [2, "the count of entries", "update balances set entries = entries + 1"],
  [3, "what is held", "update balances set held_cents = held_cents + 1"],
  [3, "the review of a withdrawal", "update work set state = 'OPEN' where kind = 'WITHDRAWAL'"],
  [3, "a transaction id", "update withdrawals set transaction_id = null where status = 'PAID'"],
  [
    4,
    "a delivery without a refund",
    "update servers set state = 'TERMINATED', paid_through = null",
  ],
  [4, "the total of an order", "update orders set total_cents = total_cents + 1"],
  [4, "the price of a server", "update servers set price_cents = price_cents + 1"],
  [5, "the state of a machine", "update machines set state = 'DIRTY' where state = 'ASSIGNED'"],
  [5, "the stock", "insert into stock values ('nothing', 'nowhere', 1, 0, 0)"],
  [5, "the count of machines", "update stock set machines = machines + 1"],
  [5, "the count of sold servers", "update stock set servers = servers - 1"],
  [7, "the work for a delivery", "update servers set state = 'PROVISIONING', ended_at = null"],
  [7, "the end of a delivery", "update work set state = 'OPEN' where kind = 'PROVISION'"],
  [7, "a machine to be wiped", "update machines set state = 'RETIRED' where state = 'DIRTY'"],
  [7, "who holds work", "update work set state = 'CLAIMED' where state = 'OPEN'"],
  [7, "when work ended", "update work set ended_at = null"],
  [7, "why a server is suspended", "update servers set suspension_reason = 'none'"],
  [7, "when an account was frozen", "update accounts set frozen_at = 1"],
  [15, "when an account was closed", "update accounts set closed_at = 1"],
  [7, "a server whose power is to be cut", "update servers set state = 'ACTIVE', ended_at = null"],
  [7, "a queued DDoS change", "update servers set ddos_requested_mode = 'ADVANCED'"],
  [6, "the sum of a deposit", "update deposits set usd_cents = usd_cents + 1"],
  [9, "the time of a rate", "update deposits set rate_at = null"],
  [9, "the address of a deposit", "update deposits set address = 'sim-btc-other'"],
  [9, "the next derivation index", "update keychains set next_index = 0"],
  [
    11,
    "the DDoS charge of a request",
    "update ddos_requests set charged_cents = charged_cents + 1",
  ],
  [11, "the work behind a DDoS charge", "update work set state = 'FAILED' where kind = 'DDOS'"],
  [11, "the DDoS price of renewals", "update servers set ddos_cents = 1 where ddos_cents > 0"],
  [11, "a renewal with a quote", "update ddos_requests set quote_cents = quote_cents + 1"],
  [
    11,
    "a quote on offer",
    "update servers set ddos_offer_accepted_at = 1 where ddos_offer_cents > 0",
  ],
  [11, "a waiting item", "update work set waiting_since = null where waiting_since is not null"],
  [
    11,
    "the end of a waiting item",
    "update work set state = 'DONE' where waiting_since is not null",
  ],
  [
    12,
    "delivery that reserves addresses",
    "update work set state = 'FAILED' where id in (select work_id from address_reservations)",
  ],
  [12, "region of a reserved address", "update subnets set region_id = 'elsewhere'"],
  [
    12,
    "reserved address that is free for others",
    "insert into released_places select subnet_id, place from address_reservations",
  ],
  [12, "reserved address that is lost", "delete from address_reservations"],
  [13, "the head of a chain", "update balances set head_hash = 'another'"],
  [13, "the length of a chain", "update balances set chained_entries = chained_entries - 1"],
  [13, "a chain without entries", "update balances set chained_entries = entries + 1"],
  [
    14,
    "leaf of the liabilities",
    "insert into liability_chunks select date, 0, first_account || 'f', 1, nodes from liability_chunks",
  ],
  [
    14,
    "total of the liabilities",
    `insert into liability_trees select '2099-01-01', created_at, root_hash, 0, accounts, secret, key_id, signature
       from liability_trees`,
  ],
];

forEachEngine((engine) => {
  describe("verify", () => {
    let opened: TestCore;
    before(async () => {
      opened = await createDepositCore(engine);
      const { accountId } = await register(opened.core);
      await depositCoins(opened.core, accountId, "0.5");
      await adjust(opened.core, accountId, 10_000);
      await seedServer(opened.core, accountId, { state: "ACTIVE" });
      const suspended = await seedServer(opened.core, accountId, { state: "SUSPENDED" });
      await opened.core.db.write(async (tx) => {
        const detail = { action: "power_off", reason: "Abuse." };
        const item = { kind: "SERVER_ACTION", accountId, serverId: suspended.id, detail } as const;
        return ok(await queueWork({ tx, core: opened.core }, [item]));
      });
      await queueReclaim(opened.core);
      const claimed = await queueProvision(opened.core);
      const holder = await operatorCall(opened.core, "support");
      await valueOf(claimWork(opened.core, holder, claimed.workId));
      const applied = await queueDdos(opened.core);
      await completeNow(opened.core, applied.workId, { quoteUsd: 50 });
      await offer(
        opened.core,
        await operatorCall(opened.core, "support"),
        (await queueDdos(opened.core)).workId,
        50,
      );
      const paid = await queueWithdrawal(opened.core);
      await completeNow(opened.core, paid.workId, { transactionId: "0xfeed" });
      await signLiabilities(opened.core);
    });
    after(() => opened.dispose());

    test("reports no violation in data that only the service has written", async () => {
      const findings = await verifyInvariants(opened.core.db);
      assert.equal(findings.length, 14);
      for (const { offenders, title } of findings) assert.deepEqual(offenders, [], title);
      assert.ok(findings.some(({ count }) => count > 0));
    });

    for (const [number, what, statement] of tamperings) {
      test(`reports a changed ${what}, and which row`, async () => {
        const { db } = opened.core;
        let found: Awaited<ReturnType<typeof verifyInvariants>> = [];
        // Checked within a transaction that is rolled back, so that the next change starts clean.
        await db.write(async (tx) => {
          await sql.raw(statement).execute(tx);
          found = await verifyInvariants({ ...db, read: tx });
          return refuse("conflict");
        });
        const finding = found.find((one) => one.number === number);
        assert.ok(
          (finding?.offenders.length ?? 0) > 0,
          JSON.stringify(found.map((one) => one.offenders)),
        );
        assert.ok(
          finding?.offenders.every(({ subject, problem }) => subject !== "" && problem !== ""),
        );
      });
    }
  });
});
