import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { addOperator, submitSignIn } from "#test/desk-visitor.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const stepMs = 30_000;

describe("signing in to the desk of `ironleased serve`", () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([
      startTestService("sqlite", { mode: "serve" }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test("the second factor must be set up first and is required from then on", async () => {
    const { core, clock, operatorUrl } = service;
    const { username } = await addOperator(core, "admin");
    const { page, leave } = await visit(browser, operatorUrl);
    await page.goto("/machines");
    await submitSignIn(page, username);
    await page.getByRole("heading", { name: "Set up your second factor" }).waitFor();
    await page.getByRole("button", { name: "Show secret" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    const secret = (await page.locator("code").first().textContent()) ?? "";
    const code = page.getByLabel("Code from the app");
    await code.fill("000000");
    await page.getByRole("button", { name: "Turn on" }).click();
    await page.getByText("Incorrect credentials").waitFor();
    await code.fill(totpCode(secret, clock.now()));
    await page.getByRole("button", { name: "Turn on" }).click();
    const codes = await page.getByRole("list", { name: "Recovery codes" }).innerText();
    await page.getByRole("checkbox", { name: /saved these codes/ }).check();
    await page.getByRole("button", { name: "Continue" }).click();
    // The page that was requested before signing in.
    await page.getByRole("heading", { name: "Machines" }).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    clock.advance(stepMs);
    await submitSignIn(page, username);
    await page.getByLabel("Authentication code").fill(totpCode(secret, clock.now()));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await submitSignIn(page, username);
    await page.getByLabel("Authentication code").fill(codes.split("\n")[0] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await leave();
  });
});
