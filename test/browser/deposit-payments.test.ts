import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { qrPath } from "#console/ui/qr-path.ts";
import { accessibilityProblems } from "#test/accessibility.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import type { Customer } from "#test/service.ts";

const realAddress = "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4";

describe("paying into an account, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  let customer: Customer;
  let checkout: string;
  before(async () => {
    browser = await launchBrowser();
    service = await startConsoleService({
      IRONLEASE_EXPLORERS: "BTC=https://explorer.example/tx/{transactionId}?a=1&b=2",
    });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function addressFor(asset: string): Promise<string> {
    customer = await service.register();
    const body = { asset };
    const made = await write<{ address: string }>(
      ...([customer, "POST", "/api/v1/deposit-addresses", body] as const),
    );
    const { depositAddresses } = (await customer.send("GET", "/api/v1/deposit-addresses")).json;
    checkout = `/billing/deposit/${depositAddresses[0].id}`;
    return made.address;
  }

  test("an amount of USD becomes an amount of coins, in the QR code and the link to the wallet", async () => {
    await addressFor("BTC");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await onRealNetwork(page);
    await page.goto(checkout);
    const wallet = page.getByRole("link", { name: "Open in wallet" });
    assert.equal(await wallet.getAttribute("href"), `bitcoin:${realAddress}`);
    await showsQrCodeOf(page, `bitcoin:${realAddress}`);
    await page.getByText("1 BTC = $94,250.00").waitFor();

    await page.getByLabel("Amount in USD").fill("100");
    const coins = page.getByLabel("Amount in BTC");
    assert.equal(await coins.textContent(), "0.00106101 BTC");
    const uri = `bitcoin:${realAddress}?amount=0.00106101`;
    assert.equal(await wallet.getAttribute("href"), uri);
    await showsQrCodeOf(page, uri);
    await page.getByRole("button", { name: "Copy amount" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "0.00106101");

    // The amount stays while the customer compares currencies.
    await page.goto("/billing/deposit?usd=100");
    await page.getByText("0.00106101").waitFor();
    await page.getByRole("radio", { name: /LTC/ }).check();
    await page.getByRole("button", { name: "Get LTC address" }).click();
    const inLitecoin = page.getByLabel("Amount in LTC");
    await inLitecoin.waitFor();
    assert.equal(await inLitecoin.textContent(), "0.9765625 LTC");
    await leave();
  });

  test("a simulated address has a QR code of the address alone, and no link to a wallet", async () => {
    const address = await addressFor("BTC");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto(checkout);
    await page.getByLabel("Amount in USD").fill("100");
    await showsQrCodeOf(page, address);
    assert.equal(await page.getByRole("link", { name: "Open in wallet" }).count(), 0);
    await leave();
  });

  test("without a rate there is no calculator, and it returns with the rate", async () => {
    await addressFor("BTC");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.route("/api/v1/rates", (route) => route.fulfill({ json: { rates: [] } }));
    await page.goto(checkout);
    await page
      .getByText("No exchange rate right now. Your deposit is credited as soon as there is one.")
      .waitFor();
    assert.equal(await page.getByLabel("Amount in USD").count(), 0);
    await page.unroute("/api/v1/rates");
    await page.clock.runFor(11_000);
    await page.getByLabel("Amount in USD").waitFor();
    await leave();
  });

  test("confirmations move in place, and the next payment starts over", async () => {
    const address = await addressFor("BTC");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto(checkout);
    await page.getByText("Waiting for your payment").waitFor();
    await service.pay(address, "0.02", { confirmations: 0, transactionId: "moving" });
    await page.clock.runFor(6_000);
    await page.getByText("0 of 2 confirmations").waitFor();
    const bar = page.getByRole("progressbar", { name: "Confirmations of this payment" });
    await bar.evaluate((element) => element.setAttribute("data-first", ""));
    await service.pay(address, "0.02", { confirmations: 1, transactionId: "moving" });
    await page.clock.runFor(6_000);
    await page.getByText("1 of 2 confirmations").waitFor();
    assert.equal(await bar.getAttribute("data-first"), "");
    await service.pay(address, "0.02", { confirmations: 2, transactionId: "moving" });
    await page.clock.runFor(6_000);
    await page.getByText(/^Credited \$/).waitFor();
    await service.pay(address, "0.01", { confirmations: 1, transactionId: "next" });
    await page.clock.runFor(6_000);
    await page.getByText("1 of 2 confirmations").waitFor();
    await page.getByRole("list", { name: "Deposits" }).getByText("moving").waitFor();
    await page.goto("/billing/deposit");
    const row = page.getByRole("row").filter({ hasText: address });
    await row.getByRole("cell", { name: "2", exact: true }).waitFor();
    await row.getByRole("link", { name: "Deposit", exact: true }).click();
    await page.getByText("1 of 2 confirmations").waitFor();
    await leave();
  });

  test("a transaction links to the configured explorer, and a simulated one does not", async () => {
    const address = await addressFor("BTC");
    await service.pay(address, "0.02", { transactionId: "ab12" });
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/deposit");
    await page.getByText("ab12").waitFor();
    assert.equal(await page.getByRole("link", { name: "ab12" }).count(), 0);
    await onRealNetwork(page);
    await page.reload();
    const link = page.getByRole("link", { name: "ab12" });
    assert.equal(await link.getAttribute("href"), "https://explorer.example/tx/ab12?a=1&b=2");
    assert.equal(await link.getAttribute("rel"), "noreferrer");
    await leave();
  });

  test("passes axe in light and dark, at 390 and 1440 px", async () => {
    const address = await addressFor("BTC");
    await service.pay(address, "0.02", { transactionId: "c".repeat(64) });
    // The content security policy would block axe.
    const { page, leave } = await visit(browser, service.url, { as: customer, bypassCSP: true });
    await onRealNetwork(page);
    await page.goto(checkout);
    await page.getByLabel("Amount in USD").fill("100");
    await page.getByRole("img", { name: /QR/ }).waitFor();
    await page.getByText(/^Credited \$/).waitFor();
    const problems: string[] = [];
    for (const width of [390, 1440]) {
      await page.setViewportSize({ width, height: 900 });
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        problems.push(...(await accessibilityProblems(page, `${colorScheme} at ${width} px`)));
      }
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) problems.push(`${overflow} px too wide at ${width} px`);
    }
    assert.deepEqual(problems, []);
    await leave();
  });
});

/** Shows the simulated addresses and payments as if they were on a real network. */
async function onRealNetwork(page: Page): Promise<void> {
  await page.route(/\/api\/v1\/deposit/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text())
      .replaceAll("SIMULATED", "LIVE")
      .replaceAll(/sim-btc-\w+/g, realAddress);
    await route.fulfill({ response, body });
  });
}

async function showsQrCodeOf(page: Page, text: string): Promise<void> {
  const drawn = page.getByRole("img", { name: /QR/ }).locator("path");
  assert.equal(await drawn.getAttribute("d"), qrPath(text).path, text);
}
