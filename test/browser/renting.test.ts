import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { assertInvariants } from "#test/rental-service.ts";
import type { Customer } from "#test/service.ts";

describe("renting a server, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    try {
      await assertInvariants(service.core.db);
    } finally {
      await service.close();
    }
  });

  /** A customer with a credited deposit. */
  async function customerWithMoney(): Promise<Customer> {
    const customer = await service.register();
    const { json } = await customer.send("POST", "/api/v1/deposit-addresses", {
      body: { asset: "BTC" },
      headers: { "idempotency-key": `address-${customer.username}` },
    });
    await service.pay(json.address, "0.02");
    return customer;
  }

  const ordersOf = async (customer: Customer) =>
    (await customer.send("GET", "/api/v1/orders")).json.orders;

  async function review(page: Page): Promise<void> {
    await page.goto("/order/review?config=metal-s&region=fra&os=debian-13&term=monthly&quantity=1");
    await page.getByText("You have not placed this order yet").waitFor();
  }

  test("deposit, order, delivery, reboot, reverse DNS and DDoS mode", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/deposit");
    await page.getByRole("radio", { name: /BTC/ }).check();
    await page.getByRole("button", { name: "Get BTC address" }).click();
    await page.getByText("SIMULATED: do not send funds to this address").waitFor();
    await page.getByRole("img", { name: "QR code of the BTC address" }).waitFor();
    const address = (await page.getByLabel("Deposit address").textContent()) ?? "";
    assert.match(address, /^sim-btc-/);

    await service.pay(address, "0.02", { confirmations: 1, transactionId: "tx-of-mine" });
    const deposits = page.getByRole("list", { name: "Deposits" });
    await deposits.getByText("1 of 2 confirmations").waitFor();
    await deposits.getByText("Not credited yet").waitFor();
    await service.pay(address, "0.02", { confirmations: 2, transactionId: "tx-of-mine" });
    await deposits.getByText(/^Credited \$/).waitFor();

    await page.getByRole("link", { name: "Order servers" }).first().click();
    await page.getByLabel("Minimum memory").selectOption("32");
    await page.getByRole("radio", { name: /^Metal S/ }).check();
    await page.getByRole("radio", { name: /^Frankfurt/ }).check();
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await page.getByText("Quantity discount").waitFor();
    await page.getByRole("textbox", { name: "Quantity" }).fill("1");
    await page.getByText("Quantity discount").waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Review order" }).click();
    await page.getByText("You have not placed this order yet").waitFor();
    await page.getByRole("button", { name: "Place order for $39.00" }).click();
    await page.getByText("Accepted and paid").waitFor();
    const [order] = await ordersOf(customer);
    assert.ok(page.url().endsWith(order.id));
    await page.getByText("Provisioning", { exact: true }).waitFor();

    const [serverId] = order.serverIds;
    await page.getByRole("link", { name: serverId }).click();
    await page.getByText("Available once the server is delivered").waitFor();
    assert.ok(await page.getByRole("button", { name: "Request Reboot" }).isDisabled());
    await service.deliver(serverId, "db1.example.com");
    await page.reload();
    await page.getByRole("heading", { name: "db1.example.com" }).waitFor();

    await page.getByRole("button", { name: "Request Reboot" }).click();
    await page.getByRole("button", { name: "Request reboot", exact: true }).click();
    await page.getByText("Reboot requested").waitFor();
    await page.getByText("An operator will carry it out. Request id").waitFor();

    await page.getByRole("button", { name: "Request Reinstall" }).click();
    const erase = page.getByRole("button", { name: "Erase and reinstall" });
    assert.ok(await erase.isDisabled());
    await page.getByLabel(/^Type the hostname/).fill("db1.example.com");
    assert.ok(await erase.isEnabled());
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("radio", { name: /^Advanced/ }).check();
    await page.getByRole("button", { name: "Request change" }).click();
    await page.getByText("Advanced requested").waitFor();
    await page.getByText("The operator sends you a quote first").waitFor();

    await page.getByRole("button", { name: /^Edit reverse DNS name of [\d.]+$/ }).click();
    const name = page.getByRole("textbox", { name: /^Reverse DNS name/ });
    await name.fill("203.0.113.1");
    await name.press("Enter");
    await page.getByText(/Must be a host ?name/i).waitFor();
    await name.fill("db1.example.com");
    await name.press("Enter");
    await name.waitFor({ state: "detached" });
    await page.getByRole("cell", { name: "db1.example.com" }).waitFor();

    await page.getByRole("switch", { name: "Renew automatically" }).click();
    await page.getByText("The server does not renew").waitFor();
    const { autoRenew } = (await customer.send("GET", `/api/v1/servers/${serverId}`)).json;
    assert.equal(autoRenew, false);
    await leave();
  });

  test("a double click and an automatic retry order once", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    let cut = 0;
    await page.route("**/api/v1/orders", async (route) => {
      if (route.request().method() !== "POST" || cut > 0) return route.continue();
      cut += 1;
      // The service places the order; only its answer is lost.
      await route.fetch();
      return route.abort();
    });
    await review(page);
    await page.getByRole("button", { name: /^Place order for/ }).dblclick();
    await page.getByText("Accepted and paid").waitFor();
    assert.equal(cut, 1);
    assert.equal((await ordersOf(customer)).length, 1);
    await leave();
  });

  test("an order whose answers are lost can be retried after a reload: one order, one charge", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const keys = new Set<string | undefined>();
    await page.route("**/api/v1/orders", async (route) => {
      if (route.request().method() !== "POST") return route.continue();
      keys.add(route.request().headers()["idempotency-key"]);
      await route.fetch();
      return route.abort();
    });
    await review(page);
    await page.getByRole("button", { name: /^Place order for/ }).click();
    await page.getByText("Your order of 1 × Metal S was sent on").waitFor();
    assert.ok(await page.getByRole("button", { name: /^Place order for/ }).isDisabled());

    await page.reload();
    await page.getByText("you will not be charged twice").waitFor();
    await page.unroute("**/api/v1/orders");
    page.on("request", (request) => {
      if (request.method() === "POST") keys.add(request.headers()["idempotency-key"]);
    });
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Accepted and paid").waitFor();
    assert.equal(keys.size, 1);
    assert.equal((await ordersOf(customer)).length, 1);
    const { entries } = (await customer.send("GET", "/api/v1/ledger")).json;
    const charges = entries.filter(({ type }: { type: string }) => type === "ORDER_CHARGE");
    assert.equal(charges.length, 1);
    await page.goto("/order");
    await page.getByRole("heading", { name: "Order servers" }).waitFor();
    assert.equal(await page.getByText("you will not be charged twice").count(), 0);
    await leave();
  });

  test("a withdrawal shows what is held, and a lost answer is recognised as recorded", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/withdraw");
    const ask = async (destination: string) => {
      await page.getByLabel("Your BTC address").fill(destination);
      await page.getByLabel("Amount in USD").fill("100.25");
      await page.getByRole("button", { name: "Review withdrawal" }).click();
      await page.getByRole("button", { name: "Withdraw $100.25" }).click();
    };
    await ask("not-an-address");
    await page.getByText(/valid BTC address/).waitFor();
    let cut = 0;
    await page.route("**/api/v1/withdrawals", async (route) => {
      if (cut > 0) return route.continue();
      cut += 1;
      await route.fetch();
      return route.abort();
    });
    await ask(`sim-btc-${"a".repeat(24)}`);
    await page.getByText("Held for review").waitFor();
    await page.getByText("Nothing was recorded twice").waitFor();
    await page.getByRole("rowheader", { name: "Withdrawal held" }).waitFor();
    const { heldUsd } = (await customer.send("GET", "/api/v1/ledger")).json;
    assert.equal(heldUsd, 100.25);
    await leave();
  });

  test("a low balance is shown before the order, with a link to deposit", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await review(page);
    await page.getByText("You need $39.00 more").waitFor();
    assert.ok(await page.getByRole("button", { name: /^Place order for/ }).isDisabled());
    await leave();
  });

  test("the ledger can be filtered by type and downloaded", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing");
    await page.getByRole("combobox", { name: "Type" }).selectOption("Refund");
    await page.getByText("No entries of this type").waitFor();
    await page.getByRole("combobox", { name: "Type" }).selectOption("Deposit");
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download CSV" }).click();
    const download = await downloading;
    assert.equal(download.suggestedFilename(), "ironlease-ledger.csv");
    await leave();
  });
});
