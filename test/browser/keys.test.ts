import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createNodeFetch } from "@ironlease/client/node";
import { createKeyClient } from "@ironlease/client";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJvR3h5dUVqY0tqUXlVb0Vpb2VqZGhzamtsYXNkZmdo ada@laptop";

describe("SSH and API keys, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test("an API key is shown once, works until it is revoked, and shows its last use", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/keys");
    await page.getByRole("heading", { name: "SSH and API keys", level: 1 }).waitFor();
    await page.getByRole("button", { name: "Create API key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Monitoring");
    await dialog.getByRole("radio", { name: /^billing/ }).check();
    await dialog.getByRole("button", { name: "Create API key" }).click();
    const key = (await dialog.getByLabel("API key", { exact: true }).textContent()) ?? "";
    assert.match(key, /^svk_\w{36}$/);
    await page.keyboard.press("Escape");
    assert.ok(await dialog.isVisible(), "the dialog stays until the key is saved");
    await dialog.getByLabel("I have saved this key").check();
    await dialog.getByRole("button", { name: "Done" }).click();
    await dialog.waitFor({ state: "detached" });
    assert.equal(await page.getByText(key).count(), 0);

    const row = page.getByRole("row", { name: /Monitoring/ });
    await row.getByText("Never").waitFor();
    const fetch = createNodeFetch({ ca: service.ca });
    const reader = createKeyClient({ baseUrl: service.url, apiKey: key, scope: "billing", fetch });
    assert.equal((await reader.readLedger()).balanceUsd, 0);
    await page.reload();
    assert.equal(await row.getByText("Never").count(), 0);

    await row.getByRole("button", { name: "Revoke Monitoring" }).click();
    await page.getByRole("button", { name: "Revoke API key" }).click();
    await page.getByText("No API keys").waitFor();
    await assert.rejects(reader.readLedger(), { code: "authentication_required" });
    fetch.close();
    await leave();
  });

  test("a saved SSH key is validated and can be used in an order", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/keys");
    await page.getByRole("button", { name: "Add SSH key" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Name").fill("Laptop");
    const field = page.getByRole("textbox", { name: "Public key" });
    await field.fill("ssh-ed25519 nonsense");
    await dialog.getByRole("button", { name: "Add SSH key" }).click();
    await page.locator("textarea[aria-invalid=true]").waitFor();
    await field.fill(publicKey);
    await dialog.getByRole("button", { name: "Add SSH key" }).click();
    await page.getByRole("row", { name: /Laptop.*SHA256:/ }).waitFor();
    await page.goto("/order");
    await page.getByRole("radio", { name: /^Laptop/ }).waitFor();
    await page.goto("/keys");
    await page.getByRole("button", { name: "Remove Laptop" }).click();
    await page.getByRole("button", { name: "Remove SSH key" }).click();
    await page.getByText("No SSH keys").waitFor();
    await page
      .getByRole("status", { name: "Notifications" })
      .getByText("SSH key removed")
      .waitFor();
    await leave();
  });
});
