import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { addOperator, enter } from "#test/desk-visitor.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const stepMs = 30_000;

describe("signing in to the desk under the rules of `serve`", () => {
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

  test("the second factor is set up before anything else, and asked for from then on", async () => {
    const { core, clock, operatorUrl } = service;
    const { username } = await addOperator(core, "admin");
    const { page, leave } = await visit(browser, operatorUrl);
    await page.goto("/machines");
    await enter(page, username);
    await page.getByRole("heading", { name: "Set up your second factor" }).waitFor();
    await page.getByRole("button", { name: "Show the secret" }).click();
    await page.getByRole("img", { name: "QR code of the secret" }).waitFor();
    const secret = (await page.locator("code").first().textContent()) ?? "";
    const code = page.getByLabel("Code that the app shows");
    await code.fill("000000");
    await page.getByRole("button", { name: "Turn it on" }).click();
    await page.getByText("That did not match").waitFor();
    await code.fill(totpCode(secret, clock.now()));
    await page.getByRole("button", { name: "Turn it on" }).click();
    const codes = await page.getByRole("list", { name: "Recovery codes" }).innerText();
    await page.getByRole("checkbox", { name: /kept these codes/ }).check();
    await page.getByRole("button", { name: "Go on" }).click();
    // Where one wanted to go before all that.
    await page.getByRole("heading", { name: "Machines" }).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    clock.advance(stepMs);
    await enter(page, username);
    await page.getByLabel("Code", { exact: true }).fill(totpCode(secret, clock.now()));
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Front page" }).waitFor();

    await page.getByRole("button", { name: "Sign out" }).click();
    await page.waitForURL("**/sign-in");
    await enter(page, username);
    await page.getByLabel("Code", { exact: true }).fill(codes.split("\n")[0] ?? "");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Front page" }).waitFor();
    await leave();
  });
});
