import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { operations } from "@ironlease/contract";
import { giveContact } from "#test/contacts.ts";
import { forEachEngine } from "#test/engines.ts";
import { codeOf } from "#test/https-client.ts";
import { startRental, type Rental, type RentalCustomer } from "#test/rental-service.ts";
import { customerOf } from "#test/service.ts";
import { freshKey } from "#test/use-cases.ts";

const path = "/api/v1/withdrawal-addresses";
const lockPath = "/api/v1/withdrawal-lock";
const hourMs = 60 * 60_000;
const cold = { asset: "ETH", destination: "0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed" } as const;
const other = { asset: "ETH", destination: "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359" } as const;

forEachEngine((engine) => {
  describe("guarded withdrawals", () => {
    let rental: Rental;
    before(async () => {
      rental = await startRental(engine, {
        settings: { IRONLEASE_LIMIT_RECOVERY: "100/1h" },
      });
    });
    after(() => rental.close());

    const save = (customer: RentalCustomer, body: object) =>
      customer.send("POST", path, { body: { label: "Cold wallet", ...body } });
    const lock = (customer: RentalCustomer, locked: boolean) =>
      customer.send("PUT", lockPath, { body: { locked } });
    const withdraw = (customer: RentalCustomer, to: object) =>
      customer.send("POST", "/api/v1/withdrawals", {
        body: { usd: 5, ...to },
        headers: { "idempotency-key": freshKey() },
      });
    const signIn = async (username: string, password: string) =>
      customerOf(
        rental.send,
        await rental.send("POST", "/api/v1/auth/login", { body: { username, password } }),
        username,
      );
    /** A session does not live that long, so the customer signs in again. */
    const later = async (customer: RentalCustomer, ms: number): Promise<RentalCustomer> => {
      rental.clock.advance(ms);
      return { ...customer, ...(await signIn(customer.username, customer.password)) };
    };
    const after48h = () => new Date(rental.clock.now() + 48 * hourMs).toISOString();

    test("addresses are saved, listed newest first and removed", async () => {
      const ada = await rental.customer(0);
      const first = await save(ada, cold);
      assert.equal(first.status, 201);
      assert.deepEqual(Object.keys(first.json), [
        "id",
        "asset",
        "destination",
        "label",
        "createdAt",
        "usableAt",
      ]);
      assert.match(first.json.id, /^wad_/);
      assert.equal(first.json.usableAt, after48h());
      const second = await save(ada, { ...other, label: "" });
      assert.deepEqual((await ada.send("GET", path)).json, {
        withdrawalAddresses: [second.json, first.json],
      });
      assert.equal((await ada.send("DELETE", `${path}/${first.json.id}`)).status, 204);
      assert.equal((await ada.send("DELETE", `${path}/${first.json.id}`)).status, 404);
    });

    test("an address that the service could not pay, or that is saved already, is refused", async () => {
      const ada = await rental.customer(0);
      const wrong = await save(ada, { ...cold, destination: "0x5aaeb6" });
      assert.equal(codeOf(wrong), "validation_failed");
      assert.equal(wrong.json.error.fields[0].field, "destination");
      assert.equal((await save(ada, cold)).status, 201);
      assert.equal(codeOf(await save(ada, cold)), "conflict");
      const spelled = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
      assert.equal(codeOf(await save(ada, { ...cold, destination: spelled })), "conflict");
      assert.equal((await save(ada, { ...cold, asset: "USDC" })).status, 201, "another asset");
    });

    test("the 51st address is 409 limit_reached, even among 60 concurrent requests", async () => {
      const ada = await rental.customer(0);
      const answers = await Promise.all(
        Array.from({ length: 60 }, (_, index) =>
          save(ada, { asset: "ETH", destination: `0x${String(index + 1).padStart(40, "0")}` }),
        ),
      );
      assert.equal(answers.filter(({ status }) => status === 201).length, 50);
      assert.equal(answers.filter((answer) => codeOf(answer) === "limit_reached").length, 10);
    });

    test("another account's address and an unknown one get the same 404", async () => {
      const [ada, eve] = [await rental.customer(0), await rental.customer(0)];
      const { json } = await save(ada, cold);
      for (const id of [json.id, "wad_01hzzzzzzzzzzzzzzzzzzzzzzz"]) {
        assert.equal((await eve.send("DELETE", `${path}/${id}`)).status, 404);
      }
      assert.equal((await ada.send("GET", path)).json.withdrawalAddresses.length, 1);
    });

    test("while locked, money goes only to addresses saved 48 hours ago", async () => {
      let ada = await rental.customer(100);
      assert.deepEqual((await ada.send("GET", lockPath)).json, { locked: false, unlocksAt: null });
      await save(ada, cold);
      assert.equal((await withdraw(ada, cold)).status, 201, "not locked");
      assert.deepEqual((await lock(ada, true)).json, { locked: true, unlocksAt: null });
      for (const to of [cold, other]) {
        assert.equal(codeOf(await withdraw(ada, to)), "destination_not_allowed");
      }
      ada = await later(ada, 48 * hourMs - 1);
      assert.equal(codeOf(await withdraw(ada, cold)), "destination_not_allowed");
      ada = await later(ada, 1);
      assert.equal((await withdraw(ada, cold)).status, 201);
      assert.equal(codeOf(await withdraw(ada, other)), "destination_not_allowed");
      assert.equal(
        codeOf(await withdraw(ada, { ...cold, asset: "USDC" })),
        "destination_not_allowed",
        "saved for another asset",
      );
      const [saved] = (await ada.send("GET", path)).json.withdrawalAddresses;
      await ada.send("DELETE", `${path}/${saved.id}`);
      assert.equal(codeOf(await withdraw(ada, cold)), "destination_not_allowed", "removed");
      await save(ada, cold);
      assert.equal(codeOf(await withdraw(ada, cold)), "destination_not_allowed", "saved again");
    });

    test("an unlock takes effect after 48 hours, and repeating it does not move the time", async () => {
      let ada = await rental.customer(100);
      await lock(ada, true);
      const unlocksAt = after48h();
      assert.deepEqual((await lock(ada, false)).json, { locked: true, unlocksAt });
      ada = await later(ada, hourMs);
      assert.deepEqual((await lock(ada, false)).json, { locked: true, unlocksAt });
      ada = await later(ada, 47 * hourMs - 1);
      assert.equal(codeOf(await withdraw(ada, other)), "destination_not_allowed");
      ada = await later(ada, 1);
      assert.deepEqual((await ada.send("GET", lockPath)).json, { locked: false, unlocksAt: null });
      assert.equal((await withdraw(ada, other)).status, 201);
      assert.deepEqual((await lock(ada, false)).json, { locked: false, unlocksAt: null });
    });

    test("locking again cancels a requested unlock", async () => {
      let ada = await rental.customer(100);
      await lock(ada, true);
      await lock(ada, false);
      assert.deepEqual((await lock(ada, true)).json, { locked: true, unlocksAt: null });
      ada = await later(ada, 72 * hourMs);
      assert.equal(codeOf(await withdraw(ada, other)), "destination_not_allowed");
    });

    test("the lock outlives a new password and a recovery", async () => {
      const ada = await rental.customer(100);
      await lock(ada, true);
      const newPassword = "another long pass phrase";
      const { username, recoveryCode } = ada;
      const recovered = await rental.send("POST", "/api/v1/auth/recover", {
        body: { username, recoveryCode, newPassword },
      });
      assert.equal(recovered.status, 200);
      const again = await signIn(username, newPassword);
      const changed = await again.send("POST", "/api/v1/auth/password", {
        body: { currentPassword: newPassword, newPassword: `${newPassword} again` },
      });
      assert.equal(changed.status, 204);
      const last = await signIn(username, `${newPassword} again`);
      assert.equal((await last.send("GET", lockPath)).json.locked, true);
      const refused = await last.send("POST", "/api/v1/withdrawals", {
        body: { usd: 5, ...other },
        headers: { "idempotency-key": freshKey() },
      });
      assert.equal(codeOf(refused), "destination_not_allowed");
    });

    test("no operation of operators changes the lock or the saved addresses", () => {
      const changing = Object.values(operations).filter(
        ({ listener, method, path: of }) =>
          method !== "GET" && listener === "operator" && /withdrawal-(?:addresses|lock)/.test(of),
      );
      assert.deepEqual(changing, []);
    });

    test("the contact gets a mail about each new address, lock and unlock", async () => {
      const ada = await rental.customer(0);
      await giveContact(rental.core, ada.username, "ada@example.com");
      await save(ada, cold);
      await lock(ada, true);
      await lock(ada, true);
      await lock(ada, false);
      const mails = await rental.core.db.read
        .selectFrom("mails")
        .select("topic")
        .where("account_id", "=", ada.accountId)
        .orderBy("id")
        .execute();
      assert.deepEqual(
        mails.map(({ topic }) => topic),
        ["withdrawal_address.added", "withdrawals.lock", "withdrawals.unlock"],
      );
    });

    test("a refused destination holds nothing and leaves the key unused", async () => {
      let ada = await rental.customer(100);
      await lock(ada, true);
      const body = { usd: 5, ...other };
      const headers = { "idempotency-key": freshKey() };
      const refused = await ada.send("POST", "/api/v1/withdrawals", { body, headers });
      assert.equal(codeOf(refused), "destination_not_allowed");
      assert.equal((await ada.send("GET", "/api/v1/ledger")).json.heldUsd, 0);
      await lock(ada, false);
      ada = await later(ada, 48 * hourMs);
      const accepted = await ada.send("POST", "/api/v1/withdrawals", { body, headers });
      assert.equal(accepted.status, 201);
      await rental.assertInvariants();
    });
  });
});
