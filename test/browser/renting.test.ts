import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { assertInvariants } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";
import type { Customer } from "#test/service.ts";
import { newSshKey } from "#test/ssh-keys.ts";

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

  async function accountIdOf({ username }: Customer): Promise<string> {
    const { id } = await service.core.db.read
      .selectFrom("accounts")
      .select("id")
      .where("username", "=", username)
      .executeTakeFirstOrThrow();
    return id;
  }

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
    const status = page.getByRole("region", { name: "Status" });
    await status.getByText("1 of 2 confirmations").waitFor();
    await service.pay(address, "0.02", { confirmations: 2, transactionId: "tx-of-mine" });
    await status.getByText("Credited $1,885.00").waitFor();
    await status.getByText("New balance").waitFor();

    await status.getByRole("link", { name: "Order servers" }).click();
    await page.getByRole("radio", { name: /^Amsterdam\s*Netherlands/ }).check();
    await page.getByLabel("Minimum memory").selectOption("32");
    await page.getByRole("radio", { name: /^Metal S/ }).check();
    await page.getByRole("radio", { name: /^Frankfurt/ }).check();
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await page.getByText("1 more: 5% off each").waitFor();
    await page.getByRole("button", { name: "Increase quantity" }).click();
    await page.getByText("Quantity discount").waitFor();
    await page.getByRole("button", { name: "5 or more: 7.5% off" }).click();
    await page.getByText("Quantity discount (7.5%)").waitFor();
    await page.getByRole("textbox", { name: "Quantity" }).fill("1");
    await page.getByText("Quantity discount").waitFor({ state: "detached" });
    await page.getByText("No SSH key").waitFor();
    await page.getByRole("link", { name: "Review order" }).click();
    await page.getByText("You have not placed this order yet").waitFor();
    await page.getByRole("button", { name: "Place order for $39.00" }).click();
    await page.getByText("Accepted and paid").waitFor();
    const [order] = await ordersOf(customer);
    assert.ok(page.url().endsWith(order.id));
    await page.getByText("Provisioning", { exact: true }).waitFor();

    const [serverId] = order.serverIds;
    await page.getByRole("link", { name: "Metal S in Frankfurt", exact: true }).click();
    await page.getByRole("button", { name: "Actions" }).click();
    const reboot = page.getByRole("menuitem", { name: "Reboot" });
    assert.match((await reboot.textContent()) ?? "", /Available once delivered/);
    assert.equal(await reboot.getAttribute("aria-disabled"), "true");
    await service.deliver(serverId, "db1.example.com");
    await page.reload();
    await page.getByRole("heading", { name: "db1.example.com" }).waitFor();

    await page.getByText(/^ssh root@/).waitFor();
    const act = async (name: string) => {
      await page.getByRole("button", { name: "Actions" }).click();
      await page.getByRole("menuitem", { name }).click();
    };
    await act("Reboot");
    await page.getByRole("button", { name: "Request reboot", exact: true }).click();
    await page.getByText("Reboot requested").waitFor();
    const stored = await page.evaluate(() => Object.values(sessionStorage).join());
    assert.equal(stored.includes("act_"), false, "nothing about the request is kept");

    await act("Reinstall");
    const erase = page.getByRole("button", { name: "Erase and reinstall" });
    assert.ok(await erase.isDisabled());
    await page.getByLabel(/^Type the hostname/).fill("db1.example.com");
    assert.ok(await erase.isEnabled());
    await page.getByRole("button", { name: "Cancel" }).click();

    await page.getByRole("tab", { name: "Network" }).click();
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

    await page.getByRole("tab", { name: "Settings" }).click();
    assert.match(page.url(), /\?tab=settings$/);
    // The switch shows the change before the service has answered.
    const answered = page.waitForResponse((response) => response.url().endsWith("/renewal"));
    await page.getByRole("switch", { name: "Renew automatically" }).click();
    await page.getByText("The server does not renew").waitFor();
    await answered;
    const { autoRenew } = (await customer.send("GET", `/api/v1/servers/${serverId}`)).json;
    assert.equal(autoRenew, false);
    await leave();
  });

  test("a placed order names each server by its label, or before delivery by what was ordered", async () => {
    const customer = await customerWithMoney();
    const order = await write<{ id: string; serverIds: readonly string[] }>(
      customer,
      "POST",
      "/api/v1/orders",
      { configId: "metal-s", regionId: "fra", osId: "debian-13", term: "monthly", quantity: 3 },
    );
    const [labelled, , cancelled] = order.serverIds;
    await customer.send("PUT", `/api/v1/servers/${labelled}/label`, { body: { label: "Shop" } });
    await write(customer, "POST", `/api/v1/servers/${cancelled}/cancel`, {});
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/messages/new");
    await page.getByRole("option", { name: "Metal S in Frankfurt" }).waitFor({ state: "attached" });
    await page.goto(`/order/placed/${order.id}`);
    const lines = page.getByRole("region", { name: "Servers" }).getByRole("listitem");
    await lines.filter({ hasText: "Terminated" }).waitFor();
    const texts = ["Shop", "Metal S in Frankfurt (2 of 3)", "Metal S in Frankfurt (3 of 3)"];
    assert.deepEqual(
      await lines.evaluateAll((items) => items.map((item) => item.firstChild?.textContent)),
      texts,
    );
    await page.getByRole("link", { name: texts[1] ?? "", exact: true }).click();
    await page.getByRole("tab", { name: "Overview" }).waitFor();
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
    await page.getByText("Held for review").first().waitFor();
    await page.getByText("Nothing was recorded twice").waitFor();
    await page.getByRole("row").filter({ hasText: "Held for review" }).waitFor();
    const { heldUsd } = (await customer.send("GET", "/api/v1/ledger")).json;
    assert.equal(heldUsd, 100.25);
    await leave();
  });

  test("a low balance is shown before the order, with a link to deposit what is missing", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await review(page);
    await page.getByText("You need $39.00 more").waitFor();
    assert.ok(await page.getByRole("button", { name: /^Place order for/ }).isDisabled());
    await page.getByRole("main").getByRole("link", { name: "Deposit", exact: true }).click();
    await page.getByRole("radio", { name: /BTC/ }).waitFor();
    assert.equal(await page.getByLabel("Amount in USD").inputValue(), "39.00");
    await leave();
  });

  test("on a phone the price stays in view, a reload keeps every choice, and a saved key is chosen", async () => {
    const customer = await customerWithMoney();
    const { publicKey } = newSshKey();
    await write(customer, "POST", "/api/v1/ssh-keys", { name: "Laptop", publicKey });
    const { page, leave } = await visit(browser, service.url, {
      as: customer,
      viewport: { width: 390, height: 844 },
    });
    await page.goto("/order");
    await page.getByRole("radio", { name: /^Singapore/ }).check();
    await page.getByRole("radio", { name: /^Weekly/ }).check();
    await page.getByRole("radio", { name: /^Metal S/ }).check();
    await page.getByLabel("Minimum memory").selectOption("32");
    const bar = page.getByRole("region", { name: "Price and next step" });
    await bar.getByText("$15.50").waitFor();
    for (const end of ["0", "document.body.scrollHeight"]) {
      await page.evaluate(`scrollTo(0, ${end})`);
      assert.ok(await bar.getByRole("link", { name: "Review order" }).isVisible());
      const box = await bar.boundingBox();
      assert.ok(box !== null && box.y >= 0 && box.y + box.height <= 844, JSON.stringify(box));
    }
    await page.reload();
    await bar.getByText("$15.50").waitFor();
    for (const name of [/^Singapore/, /^Weekly/, /^Metal S/, /^Laptop/]) {
      assert.ok(await page.getByRole("radio", { name }).isChecked(), String(name));
    }
    assert.equal(await page.getByLabel("Minimum memory").inputValue(), "32");
    await bar.getByRole("link", { name: "Review order" }).click();
    await page.getByText("You have not placed this order yet").waitFor();
    await page.getByText("Laptop", { exact: true }).waitFor();
    assert.equal(await page.getByText("No SSH key").count(), 0);
    await leave();
  });

  test("the overview says what needs attention, and its tiles can be loaded again", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await seedServer(service.core, await accountIdOf(customer), {
      state: "GRACE",
      priceCents: 200_000,
    });
    let isDown = true;
    await page.route("**/api/v1/account-summary", (route) =>
      isDown ? route.fulfill({ status: 404, body: "{}" }) : route.continue(),
    );
    await page.goto("/");
    await page.getByRole("button", { name: "Try again: Monthly cost" }).waitFor();
    isDown = false;
    await page.getByRole("button", { name: "Try again: Monthly cost" }).click();
    const attention = page.getByRole("region", { name: "Needs your attention" });
    await attention.getByText("A server is in its grace period").waitFor();
    const day = page.getByRole("slider", { name: "Day of the balance chart" });
    await day.focus();
    await page.keyboard.press("ArrowRight");
    assert.match((await day.getAttribute("aria-valuetext")) ?? "", /projected/);
    await page.keyboard.press("Home");
    assert.match((await day.getAttribute("aria-valuetext")) ?? "", /: \$0\.00$/);
    await attention.getByRole("link", { name: "Deposit $115.00" }).click();
    await page.getByRole("radio", { name: /BTC/ }).waitFor();
    assert.equal(await page.getByLabel("Amount in USD").inputValue(), "115.00");
    await leave();
  });

  test("the ledger is filtered, downloaded, and each entry has a receipt that prints alone", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing");
    const type = page.getByRole("combobox", { name: "Type" });
    await type.selectOption("Refund");
    await page.getByText("No entries match").waitFor();
    await type.selectOption("Deposit");
    await page.getByRole("combobox", { name: "Period" }).selectOption("Custom");
    await page.getByText("Choose the first and the last day").waitFor();
    await page.getByLabel("First day").fill("2020-01-01");
    await page.getByLabel("Last day").fill("2099-12-31");
    for (const format of ["csv", "json"]) {
      const downloading = page.waitForEvent("download");
      await page.getByRole("button", { name: `Download ${format}` }).click();
      const download = await downloading;
      const name = `ironlease-ledger-2020-01-01-to-2099-12-31.${format}`;
      assert.equal(download.suggestedFilename(), name);
      const text = await readFile(await download.path(), "utf8");
      assert.match(text, /DEPOSIT/);
    }
    await page.getByRole("link", { name: /^Receipt for Deposit/ }).click();
    await page.getByRole("heading", { name: "Deposit receipt" }).waitFor();
    const { entries } = (await customer.send("GET", "/api/v1/ledger")).json;
    assert.equal(new URL(page.url()).pathname, `/billing/entries/${entries[0].id}`);
    await page.getByTitle(entries[0].hash).waitFor();
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assert.ok(await page.getByRole("article").getByText(customer.username).isVisible());
    assert.ok(await page.getByText("Sign out").first().isHidden());
    await leave();
  });

  test("a withdrawal above the balance is refused in the form, and its outcome is in the history", async () => {
    const customer = await customerWithMoney();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/withdraw");
    await page.getByText("No withdrawals yet").waitFor();
    await page.getByLabel("Your BTC address").fill(`sim-btc-${"a".repeat(24)}`);
    const amount = page.getByLabel("Amount in USD");
    await amount.fill("99999");
    await page.getByText(/^More than your balance of/).waitFor();
    const review = page.getByRole("button", { name: "Review withdrawal" });
    assert.ok(await review.isDisabled());
    await page.getByRole("button", { name: /^Use \$/ }).click();
    assert.notEqual(await amount.inputValue(), "99999");
    await amount.fill("12.50");
    await review.click();
    await page.getByRole("button", { name: "Withdraw $12.50" }).click();
    await page.getByRole("row").filter({ hasText: "Held for review" }).waitFor();
    await leave();
  });
});
