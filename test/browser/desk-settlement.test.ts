import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { SettlementUnavailable } from "#server/ports/settlement.ts";
import { assertAccessible } from "#test/accessibility.ts";
import { launchBrowser } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { pay, simulatedOf } from "#test/deposits.ts";
import { signInAtDesk } from "#test/desk-visitor.ts";
import type { Customer } from "#test/service.ts";

describe("the settlement page of the desk", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    // The tests run the passes themselves.
    const settings = { IRONLEASE_SETTLEMENT_EVERY: "1h" };
    [service, browser] = await Promise.all([startConsoleService(settings), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const newAddress = async (customer: Customer, asset: string) => {
    const path = "/api/v1/deposit-addresses";
    return (await write<{ address: string }>(customer, "POST", path, { asset })).address;
  };

  test("it shows a chain that is down, a lost payment and a deposit without a rate", async () => {
    const { core } = service;
    const customer = await service.register();
    const lost = { transactionId: "desk-lost" };
    const address = await newAddress(customer, "BTC");
    await service.pay(address, "0.02", lost);
    await pay(core, address, "0.02", { ...lost, isGone: true });
    await watchSettlement(core);
    await pay(core, await newAddress(customer, "LTC"), "0.5", { transactionId: "desk-waits" });
    await watchSettlement({ ...core, rates: undefined });

    const desk = await signInAtDesk(browser, service, "support");
    const { page } = desk;
    const down = "bitcoin cannot be reached (ECONNREFUSED)";
    simulatedOf(core).failNext("health", new SettlementUnavailable(down));
    await page.getByRole("link", { name: "Settlement" }).click();
    await page.getByRole("heading", { name: "Settlement", level: 1 }).waitFor();
    const alarms = page.getByRole("region", { name: "Alarms" });
    await alarms.getByText("Credited payment lost on Bitcoin").waitFor();
    await alarms.getByText(/0\.02000000 BTC that was credited to/).waitFor();
    await alarms.getByText(/ is unavailable$/).waitFor();
    const chains = page.getByRole("table", { name: "Chains" });
    await chains
      .getByRole("row", { name: /Unavailable/ })
      .getByText(`${down}.`)
      .waitFor();
    assert.equal(await chains.getByText("Available", { exact: true }).count(), 3);
    const waiting = page.getByRole("table", { name: "Waiting deposits" });
    await waiting.getByText("desk-waits").waitFor();
    assert.equal(await page.getByRole("button", { name: /^Set rate/ }).count(), 0);
    await assertAccessible(page, "alarms");

    await alarms.getByRole("link", { name: "Show deposit" }).click();
    await page.getByRole("heading", { name: "Deposits", level: 1 }).waitFor();
    await page.getByTitle("desk-lost").waitFor();
    await desk.leave();
  });

  test("a change of more than 20 % is a proposal until another operator confirms it", async () => {
    const [ada, bob] = [
      await signInAtDesk(browser, service, "finance"),
      await signInAtDesk(browser, service, "finance"),
    ];
    const set = async (usd: string) => {
      await ada.page.getByRole("button", { name: "Set rate of LTC" }).click();
      const dialog = ada.page.getByRole("dialog", { name: "Set rate of LTC" });
      await dialog.getByText(/more than 20\u00a0% needs a second operator/).waitFor();
      await dialog.getByLabel("USD per LTC").fill(usd);
      if (usd === "200") await assertAccessible(ada.page, "set rate");
      await dialog.getByRole("button", { name: "Set rate" }).click();
      await dialog.waitFor({ state: "detached" });
    };
    await ada.page.goto("/settlement");
    await set("100");
    assert.equal(await ada.page.getByRole("list", { name: "Proposed rates" }).count(), 0);
    await set("200");
    const mine = ada.page.getByRole("list", { name: "Proposed rates" });
    await mine.getByText(/^Proposed by you/).waitFor();
    await mine.getByText("Another operator must confirm it").waitFor();
    assert.equal(await mine.getByRole("button").count(), 0);

    await bob.page.goto("/settlement");
    const theirs = bob.page.getByRole("list", { name: "Proposed rates" });
    await theirs.getByText(new RegExp(`^Proposed by ${ada.username}`)).waitFor();
    await assertAccessible(bob.page, "proposal");
    await theirs.getByRole("button", { name: "Confirm rate of LTC" }).click();
    const dialog = bob.page.getByRole("dialog", { name: "Confirm rate of LTC" });
    const confirmed = bob.page.waitForResponse(
      (response) => response.url().includes("/rates/") && response.request().method() === "PUT",
    );
    await dialog.getByRole("button", { name: "Confirm $200.00" }).click();
    await confirmed;
    await theirs.waitFor({ state: "detached" });
    const rows = await service.core.db.read
      .selectFrom("rates")
      .select(["kind", "usd"])
      .where("asset", "=", "LTC")
      .orderBy("sequence")
      .execute();
    assert.deepEqual(
      rows.map(({ kind, usd }) => [kind, usd]),
      [
        ["SET", "100.00"],
        ["PROPOSED", "200.00"],
        ["SET", "200.00"],
      ],
    );
    await ada.leave();
    await bob.leave();
  });

  test("a refused rate is shown at its field", async () => {
    const desk = await signInAtDesk(browser, service, "finance");
    const { page } = desk;
    await page.goto("/settlement");
    await page.getByRole("button", { name: "Set rate of XMR" }).click();
    const dialog = page.getByRole("dialog", { name: "Set rate of XMR" });
    await dialog.getByLabel("USD per XMR").fill("999999999999.999999999999999999");
    // The service's clock stands still, so the browser's is soon ahead of it.
    service.clock.advance(-3_600_000);
    await dialog.getByLabel("Valid for").selectOption("24");
    await dialog.getByRole("button", { name: "Set rate" }).click();
    await dialog.getByText(/^Must not be later than /).waitFor();
    service.clock.advance(3_600_000);
    await desk.leave();
  });
});
