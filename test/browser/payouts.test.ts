import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { assertAccessible } from "#test/accessibility.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { skipWithout } from "#test/components.ts";
import { startIronleased, temporaryFolder, type Daemon } from "#test/daemon.ts";
import { deskPassword, submitSignIn } from "#test/desk-visitor.ts";
import { sharedLitecoinChain, type LitecoinChain } from "#test/litecoin-chain.ts";
import { signPsbt } from "#test/litecoin-signer.ts";
import { customerOf, password, type Customer } from "#test/service.ts";
import { settlementFile } from "#test/settlement-file.ts";

describe("real coins, in a browser", { skip: await skipWithout("litecoind") }, () => {
  let chain: LitecoinChain;
  let daemon: Daemon;
  let browser: Browser;
  before(async () => {
    [chain, browser] = await Promise.all([sharedLitecoinChain(), launchBrowser()]);
    daemon = await startIronleased("preview", {
      IRONLEASE_DATA: temporaryFolder(),
      IRONLEASE_SETTLEMENT: settlementFile(chain),
      IRONLEASE_SETTLEMENT_EVERY: "1s",
      IRONLEASE_OPERATOR_PASSWORD: deskPassword,
    });
  });
  after(async () => {
    await browser.close();
    await daemon.stop();
  });

  test("a customer deposits, orders and withdraws; an operator prepares, signs elsewhere and sends; the coins arrive", async () => {
    const customer = await register(daemon, "alice");
    const account = await visit(browser, daemon.url, { as: customer });
    await deposit(account.page, chain);
    await order(account.page);
    const destination = await chain.newAddress();
    await withdraw(account.page, destination, "40");

    const desk = await visit(browser, daemon.operatorUrl, { acceptDownloads: true });
    const { page } = desk;
    await page.goto("/");
    await submitSignIn(page, "operator");
    await page.getByRole("link", { name: "Withdrawals" }).click();
    await page.getByRole("button", { name: /^Claim/ }).click();
    await page.getByText("Coins to pay").waitFor();
    await page.getByText("0.50000000", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Prepare payout" }).click();
    await page.getByRole("heading", { name: "Payout of 0.5 LTC" }).waitFor();
    await page.getByText("To sign", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Show QR code" }).click();
    await page.getByRole("img", { name: "QR code of the unsigned transaction" }).waitFor();
    await assertAccessible(page, "a prepared payout");

    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download" }).click(),
    ]);
    assert.match(file.suggestedFilename(), /^pay_\w+\.psbt$/);
    const unsigned = await readFile(await file.path());
    await page.getByLabel("Or paste it").fill("nonsense");
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.locator("[aria-invalid=true]").waitFor();
    const signed = Buffer.from(signPsbt(unsigned.toString("base64")), "base64");
    await page.getByLabel("Choose file").setInputFiles({
      name: "signed.psbt",
      mimeType: "application/octet-stream",
      buffer: signed,
    });
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("To approve", { exact: true }).waitFor();
    await assertAccessible(page, "a signed payout");
    await page.getByRole("button", { name: "Approve and send" }).click();
    await page.getByText("0 of 2 confirmations").waitFor();
    await page.getByRole("button", { name: "Raise the fee" }).waitFor();
    await assertAccessible(page, "a payout that was sent");

    await chain.mine(2);
    await page.getByText("Confirmed", { exact: true }).first().waitFor();
    const { node } = chain;
    assert.equal(await node.walletRpc("miner", "getreceivedbyaddress", [destination]), 0.5);
    await page.getByRole("link", { name: "Payouts" }).first().click();
    await page.getByRole("row", { name: /0\.5 LTC.*Confirmed/ }).waitFor();
    await assertAccessible(page, "payouts");
    await page.getByRole("link", { name: "Settlement" }).click();
    const wallets = page.getByRole("table", { name: "Wallets" });
    await wallets.getByRole("row", { name: /^LTC 0 LTC .* 9\.4/ }).waitFor();
    await desk.leave();

    await account.leave();
    const ledger = (await customer.send("GET", "/api/v1/ledger")).json;
    assert.equal(ledger.heldUsd, 0);
  });
});

async function register(daemon: Daemon, username: string): Promise<Customer> {
  const body = { username, password };
  const registered = await daemon.send("POST", "/api/v1/auth/register", { body });
  return customerOf(daemon.send, registered, username);
}

/** Pays 10 LTC, 800 USD, to an address that the page shows, once the new service has scanned the chain. */
async function deposit(page: Page, chain: LitecoinChain): Promise<void> {
  await page.goto("/billing/deposit?asset=LTC");
  await page.getByRole("button", { name: /^Get / }).click();
  const address = (await page.getByLabel("Deposit address").textContent()) ?? "";
  assert.match(address, /^rltc1q/);
  await chain.pay(address, "10");
  await page.getByText("0 of 2 confirmations").waitFor();
  await chain.mine(2);
  await page.getByText("Credited $800.00").waitFor();
}

async function order(page: Page): Promise<void> {
  await page.goto("/order/review?config=metal-s&region=fra&os=debian-13&term=monthly&quantity=1");
  await page.getByRole("button", { name: /^Place order for / }).click();
  await page.getByText("Accepted and paid").waitFor();
}

async function withdraw(page: Page, destination: string, usd: string): Promise<void> {
  await page.goto("/billing/withdraw");
  await page.getByLabel("Currency").selectOption("LTC");
  await page.getByLabel("Your LTC address").fill(destination);
  await page.getByLabel("Amount in USD").fill(usd);
  await page.getByRole("button", { name: "Review withdrawal" }).click();
  await page.getByRole("button", { name: /^Withdraw \$/ }).click();
  await page.getByText("Held for review").waitFor();
}
