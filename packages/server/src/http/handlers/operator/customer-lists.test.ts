import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import type { SignedInOperator } from "#test/operators.ts";
import { seedServer } from "#test/rental.ts";
import { startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";
import { audit } from "#kernel/audit.ts";
import { ok } from "#kernel/result.ts";
import { systemCall } from "#kernel/call.ts";

const rows = 120;

/** Each list of an account: its path, its field in the list, and its field in the account. */
const lists = [
  ["servers", "servers", "servers"],
  ["orders", "orders", "orders"],
  ["deposits", "deposits", "deposits"],
  ["withdrawals", "withdrawals", "withdrawals"],
  ["ledger", "entries", "ledger"],
  ["audit", "entries", "audit"],
] as const;

forEachEngine((engine) => {
  describe("an account's lists over HTTPS", () => {
    let rental: Rental;
    let admin: SignedInOperator;
    let ada: RentalCustomer;
    let other: RentalCustomer;
    before(async () => {
      rental = await startRental(engine);
      admin = await rental.operator("admin");
      ada = await rental.customer(0);
      other = await rental.customer(0);
      await seedLists(rental, ada.accountId);
      await seedServer(rental.core, other.accountId);
    });
    after(() => rental.close());

    const account = () => `/operator/v1/accounts/${ada.accountId}`;

    for (const [path, name, whole] of lists) {
      test(`${path}: every row is on exactly one page, and the first page is that of the account`, async () => {
        const seen: string[] = [];
        for (let pages = 0, last = ""; pages === 0 || last !== ""; pages += 1) {
          assert.ok(pages < 10);
          const answer = await admin.send("GET", `${account()}/${path}?after=${last}`);
          assert.equal(answer.status, 200, answer.text);
          const ids = (answer.json[name] as { id: string }[]).map(({ id }) => id);
          assert.ok(ids.length <= 100);
          seen.push(...ids);
          last = ids.length === 100 ? (ids.at(-1) ?? "") : "";
        }
        assert.ok(seen.length >= rows, `${seen.length} rows`);
        assert.equal(new Set(seen).size, seen.length);
        const { json } = await admin.send("GET", account());
        const first = (json[whole] as { id: string }[]).map(({ id }) => id);
        assert.deepEqual(seen.slice(0, 100), first);
      });

      test(`${path}: an unknown account is 404, and a malformed after is 400`, async () => {
        const unknown = "/operator/v1/accounts/acc_01h455vb4pex5vsknk084sn02q";
        assert.equal(codeOf(await admin.send("GET", `${unknown}/${path}`)), "not_found");
        const malformed = await admin.send("GET", `${account()}/${path}?after=nothing`);
        assert.equal(codeOf(malformed), "validation_failed");
      });
    }

    test("a page after another account's row is empty", async () => {
      const own = await admin.send("GET", `/operator/v1/accounts/${other.accountId}/servers`);
      const [{ id }] = own.json.servers;
      const answer = await admin.send("GET", `${account()}/servers?after=${id}`);
      assert.deepEqual(answer.json, { servers: [] });
    });

    test("server 101 of an account can be found and suspended", async () => {
      const first = await admin.send("GET", `${account()}/servers`);
      const last = first.json.servers.at(-1).id;
      const second = await admin.send("GET", `${account()}/servers?after=${last}`);
      const [{ id }] = second.json.servers;
      const suspended = await admin.send("POST", `/operator/v1/servers/${id}/suspend`, {
        body: { reason: "Abuse." },
      });
      assert.equal(suspended.json.state, "SUSPENDED", suspended.text);
    });
  });
});

/** All rows have the same time, because the clock does not advance, so only their ids order them. */
async function seedLists({ core }: Rental, accountId: string): Promise<void> {
  for (let row = 0; row < rows; row += 1) {
    await seedServer(core, accountId, { addressSets: 0 });
  }
  const now = core.clock.now();
  const common = { account_id: accountId, asset: "BTC" };
  await core.db.write(async (tx) => {
    const addressId = core.ids.next("depositAddress");
    const place = { network: "simulated-bitcoin", mode: "SIMULATED", address: addressId };
    await tx
      .insertInto("deposit_addresses")
      .values({
        id: addressId,
        ...common,
        ...place,
        intent_key: "seeded-key",
        confirmations_required: 2,
        created_at: now,
      })
      .execute();
    for (let row = 0; row < rows; row += 1) {
      const id = core.ids.next("withdrawal");
      await tx
        .insertInto("withdrawals")
        .values({
          id,
          ...common,
          destination: "seeded",
          cents: 100,
          status: "REJECTED",
          transaction_id: null,
          created_at: now,
          resolved_at: now,
        })
        .execute();
      await tx
        .insertInto("deposits")
        .values({
          id: core.ids.next("deposit"),
          ...common,
          ...place,
          address_id: addressId,
          transaction_id: `seeded-${row}`,
          output_index: 0,
          amount_units: "1",
          amount_decimals: 8,
          confirmations: 0,
          confirmations_required: 2,
          state: "CONFIRMING",
          deferred_until: null,
          credited_confirmations: null,
          usd_cents: null,
          rate: null,
          rate_at: null,
          seen_at: now,
          credited_at: null,
        })
        .execute();
      await audit({ tx, core, call: { ...systemCall, actor: accountId } }, "test.seed", id);
    }
    return ok();
  });
}
