import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { addOperator, submitSignIn } from "#test/desk-visitor.ts";
import { startTestService, type TestService } from "#test/service.ts";
import { totpCode } from "#test/totp.ts";

const stepMs = 30_000;

describe("signing in to the desk of `ironleased serve`", () => {
  let service: TestService;
  let browser: Browser;
  /** Where the admin stays signed in. */
  let admin: Page;
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
    const { page } = await visit(browser, operatorUrl);
    admin = page;
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
  });

  test("an admin adds an operator, limits where they work, ends a session and disables them", async () => {
    await admin.getByRole("link", { name: "Operators" }).click();
    await admin.getByRole("button", { name: "Add operator" }).click();
    const adding = admin.getByRole("dialog", { name: "Add operator" });
    await adding.getByLabel("Username").fill("grace");
    await adding.getByRole("button", { name: "Add operator" }).click();
    const shown = admin.getByRole("dialog", { name: "Password of grace" });
    const password = await shown.getByLabel("Password", { exact: true }).innerText();
    await shown.getByRole("checkbox").check();
    await shown.getByRole("button", { name: "Done" }).click();

    const { page: grace, leave } = await visit(browser, service.operatorUrl);
    await grace.goto("/work");
    await submitSignIn(grace, "grace", password);
    await grace.getByRole("heading", { name: "Queue" }).waitFor();
    await choose("Sessions");
    await admin.getByRole("button", { name: /^End the session/ }).click();
    await admin.getByText("Not signed in").waitFor();
    await admin.getByRole("button", { name: "Close" }).click();

    await choose("Allowed networks");
    const networks = admin.getByRole("dialog", { name: "Allowed networks of grace" });
    await networks.getByRole("textbox", { name: "Networks" }).fill("127.1");
    await networks.getByRole("button", { name: "Save networks" }).click();
    await networks.getByText(/Must be addresses or CIDRs/).waitFor();
    await networks.getByRole("textbox", { name: "Networks" }).fill("203.0.113.0/24");
    await networks.getByRole("button", { name: "Save networks" }).click();
    await admin.getByText("Networks of grace changed").waitFor();
    await grace.goto("/work");
    await submitSignIn(grace, "grace", password);
    await grace.getByText("Incorrect credentials").waitFor();

    await choose("Disable");
    await admin.getByRole("button", { name: "Disable operator" }).click();
    await admin.getByRole("row", { name: /grace.*Disabled/ }).waitFor();
    await leave();
  });

  test("the last admin cannot disable themselves", async () => {
    await choose("Disable", "admin");
    await admin.getByRole("button", { name: "Disable operator" }).click();
    await admin.getByText(/is the last enabled admin/).waitFor();
  });

  async function choose(action: string, username = "grace"): Promise<void> {
    await admin.getByRole("button", { name: new RegExp(`^Actions for ${username}`) }).click();
    await admin.getByRole("menuitem", { name: action, exact: true }).click();
  }
});
