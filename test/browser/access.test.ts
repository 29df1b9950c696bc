import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { password } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const hourMs = 3_600_000;

async function fillSignIn(page: Page, username: string, secret = password): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(secret);
  await page.getByRole("button", { name: "Sign in" }).click();
}

describe("access to an account, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test("registration shows the recovery code once and continues only after it is saved", async () => {
    const { page, leave } = await visit(browser, service.url);
    await page.goto("/");
    await page.getByRole("link", { name: "Create account" }).click();
    // The sign-in page has fields of the same names.
    await page.getByRole("heading", { name: "Create account" }).waitFor();
    await page.getByLabel("Username").fill("grace");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create account" }).click();
    await page.getByText(/10 to 256 characters/).waitFor();
    const field = page.getByLabel("Password", { exact: true });
    assert.equal(await field.getAttribute("aria-invalid"), "true");
    assert.ok(await field.evaluate((element) => element === document.activeElement));
    assert.equal(await page.getByText("validation_failed").count(), 1);

    await field.fill(password);
    await page.getByRole("button", { name: "Create account" }).click();
    const code = await page.getByRole("group", { name: "Recovery code" }).textContent();
    const continueButton = page.getByRole("button", { name: "Continue to your account" });
    assert.ok(await continueButton.isDisabled());
    await page.getByRole("button", { name: "Copy code" }).click();
    await page.getByRole("button", { name: "Copied" }).waitFor();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), code);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    assert.equal((await downloading).suggestedFilename(), "ironlease-recovery-code-grace.txt");
    await page.getByLabel("I have saved this code").check();
    await continueButton.click();
    await page.getByRole("heading", { name: "Your first server" }).waitFor();

    const recovery = await visit(browser, service.url);
    await recover(recovery.page, "grace", code ?? "");
    await recovery.leave();
    await page.getByRole("link", { name: "Network" }).click();
    await page.getByText("Your session ended").waitFor();
    await leave();
  });

  async function recover(page: Page, username: string, code: string): Promise<void> {
    const newPassword = "another long pass phrase";
    await page.goto("/recover");
    await page.getByLabel("Username").fill(username);
    await page.getByRole("textbox", { name: "Recovery code" }).fill(code);
    await page.getByLabel("New password").fill(newPassword);
    await page.getByRole("button", { name: "Set new password" }).click();
    const replacement = page.getByRole("group", { name: "Recovery code" });
    assert.notEqual(await replacement.textContent(), code);
    await page.getByLabel("I have saved this code").check();
    await page.getByRole("button", { name: "Sign in" }).click();
    await fillSignIn(page, username, newPassword);
    await page.getByRole("heading", { name: "Overview" }).waitFor();
  }

  test("the second factor is set up and turned off on the page Security, and signing in asks for it", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/security");
    await page.getByRole("link", { name: "Set up the second factor" }).click();
    await page.getByRole("button", { name: "Show secret" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    const secret = (await page.locator("code").first().textContent()) ?? "";
    const { core } = service;
    await page.getByLabel("Code from the app").fill(totpCode(secret, core.clock.now()));
    await page.getByRole("button", { name: "Turn on" }).click();
    const codes = await page.getByRole("list", { name: "Recovery codes" }).innerText();
    assert.equal(codes.split("\n").length, 10);
    const downloading = page.waitForEvent("download");
    await page.getByRole("button", { name: "Download" }).click();
    assert.match((await downloading).suggestedFilename(), /^ironlease-second-factor-codes-/);
    await page.getByRole("checkbox", { name: /saved these codes/ }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("button", { name: "Turn off the second factor" }).waitFor();

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.waitForURL("**/sign-in");
    await fillSignIn(page, customer.username);
    const code = page.getByLabel("Authentication code");
    await code.fill("000000");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Incorrect credentials", { exact: true }).waitFor();
    await code.fill(codes.split("\n")[0] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Your first server" }).waitFor();

    await page.goto("/security");
    await page.getByRole("button", { name: "Turn off the second factor" }).click();
    await page.getByRole("button", { name: "Turn off", exact: true }).click();
    await page.getByRole("link", { name: "Set up the second factor" }).waitFor();
    await leave();
  });

  test("a page opened by its URL appears after signing in", async () => {
    const { username } = await service.register();
    const { page, leave } = await visit(browser, service.url);
    await page.goto("/billing/withdraw");
    await fillSignIn(page, username, "not the password");
    await page.getByText("Incorrect credentials", { exact: true }).waitFor();
    await fillSignIn(page, username);
    await page.getByRole("heading", { name: "Withdraw", exact: true }).waitFor();
    assert.equal(new URL(page.url()).pathname, "/billing/withdraw");
    await leave();
  });

  test("an expired session asks for sign-in and loses nothing typed", async () => {
    const customer = await service.register();
    const created = await write<{ address: string }>(
      customer,
      "POST",
      "/api/v1/deposit-addresses",
      { asset: "BTC" },
    );
    await service.pay(created.address, "0.01");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/withdraw");
    await page.getByLabel("Your BTC address").fill("sim-btc-somewhere");
    await page.getByLabel("Amount in USD").fill("25.50");
    service.clock.advance(3 * hourMs);
    await page.getByRole("button", { name: "Review withdrawal" }).click();
    await page.getByRole("button", { name: /^Withdraw \$25\.50/ }).click();
    await page.getByText("Your session ended", { exact: true }).waitFor();
    assert.equal(await page.getByLabel("Username").inputValue(), customer.username);
    assert.ok(await page.getByLabel("Amount in USD").isHidden());
    await page.getByLabel("Password", { exact: true }).fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Your session ended before this was saved").waitFor();
    assert.equal(await page.getByLabel("Your BTC address").inputValue(), "sim-btc-somewhere");
    assert.equal(await page.getByLabel("Amount in USD").inputValue(), "25.50");
    await leave();
  });

  test("a session that ends under an open dialog restores the dialog after sign-in", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto("/keys");
    await page.getByRole("button", { name: "Add SSH key" }).click();
    const name = page.getByRole("dialog").getByLabel("Name");
    await name.fill("Half a na");
    service.clock.advance(3 * hourMs);
    // The next poll finds that the session has ended.
    await page.clock.runFor(31_000);
    await page.getByText("Your session ended").waitFor();
    assert.ok(await name.isHidden());
    const secret = page.getByLabel("Password", { exact: true });
    await secret.click();
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await name.waitFor();
    assert.equal(await name.inputValue(), "Half a na");
    await page.keyboard.press("Escape");
    await name.waitFor({ state: "detached" });
    await leave();
  });

  test("another account that signs in after a session ended sees nothing of the first", async () => {
    const first = await service.register();
    const second = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: first });
    await page.goto("/billing/withdraw");
    await page.getByLabel("Your BTC address").fill("sim-btc-mine");
    service.clock.advance(3 * hourMs);
    await page.getByRole("link", { name: "Network" }).click();
    await page.getByText("Your session ended").waitFor();
    await fillSignIn(page, second.username);
    await page.getByText("No addresses yet").waitFor();
    await page.getByRole("link", { name: "Billing" }).click();
    await page.getByRole("link", { name: "Withdraw" }).click();
    assert.equal(await page.getByLabel("Your BTC address").inputValue(), "");
    assert.equal(await page.getByText(first.username, { exact: true }).count(), 0);
    await leave();
  });

  test("when another tab signs in as another account, this tab switches and clears the first", async () => {
    const first = await service.register();
    const second = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: first });
    await page.clock.install();
    await page.goto("/servers");
    await page.getByText(first.username, { exact: true }).waitFor();
    const other = await page.context().newPage();
    await other.goto("/sign-in");
    await fillSignIn(other, second.username);
    await other.getByRole("heading", { name: "Overview" }).waitFor();
    await page.clock.runFor(31_000);
    await page.getByText(second.username, { exact: true }).waitFor();
    await page.getByText("No servers yet").waitFor();
    assert.equal(await page.getByText(first.username, { exact: true }).count(), 0);
    await leave();
  });

  test("a revoked session has to sign in again, and the list marks the current session", async () => {
    const here = await service.register();
    const there = await service.signIn(here.username);
    const [mine, other] = await Promise.all([
      visit(browser, service.url, { as: here }),
      visit(browser, service.url, { as: there }),
    ]);
    await other.page.goto("/servers");
    await other.page.getByText("No servers yet").waitFor();
    await mine.page.goto("/security");
    const current = mine.page.getByRole("row").filter({ hasText: "This session" });
    assert.equal(await current.getByRole("button").count(), 0);
    await mine.page.getByRole("button", { name: "End all other sessions" }).click();
    await mine.page
      .getByRole("dialog")
      .getByRole("button", { name: /^End session/ })
      .click();
    await mine.page.getByRole("dialog").waitFor({ state: "detached" });
    await mine.page.getByRole("row").nth(2).waitFor({ state: "detached" });
    await other.page.getByRole("link", { name: "Network" }).click();
    await other.page.getByText("Your session ended").waitFor();
    await Promise.all([mine.leave(), other.leave()]);
  });

  test("changing the password ends the session, and the new password works", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/security");
    await page.getByLabel("Current password").fill("the wrong one");
    await page.getByLabel("New password").fill("a newer pass phrase");
    await page.getByRole("button", { name: "Change password and sign out" }).click();
    await page.getByText("Incorrect credentials", { exact: true }).waitFor();
    await page.getByLabel("Current password").fill(password);
    await page.getByRole("button", { name: "Change password and sign out" }).click();
    await page.getByText("Password changed").waitFor();
    await fillSignIn(page, customer.username, "a newer pass phrase");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await page.evaluate(() => sessionStorage.setItem("ironlease.draft/left/behind", "a text"));
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await page.waitForFunction(() => sessionStorage.length === 0);
    await page.goBack();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await leave();
  });
});

test("too many sign-in attempts show a countdown and disable the button", async () => {
  const service = await startConsoleService({ IRONLEASE_AUTH_LIMITS: "on" });
  const browser = await launchBrowser();
  try {
    const { username } = await service.register();
    const { page, leave } = await visit(browser, service.url);
    await page.goto("/sign-in");
    for (let attempt = 0; attempt < 6; attempt += 1) {
      await fillSignIn(page, username, `wrong ${attempt}`);
      const answer = attempt < 5 ? "Incorrect credentials" : "Too many attempts";
      await page.getByText(answer, { exact: true }).waitFor();
    }
    assert.match((await page.getByRole("timer").textContent()) ?? "", /again in 1[45]:\d\d/);
    assert.ok(await page.getByRole("button", { name: "Sign in" }).isDisabled());
    await leave();
  } finally {
    await browser.close();
    await service.close();
  }
});
