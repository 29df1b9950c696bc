import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { sendDueWebhooks } from "#server/features/webhooks/send-webhooks.ts";
import { accessibilityProblems } from "#test/accessibility.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { fail, startReceiver, accept } from "#test/webhook-receiver.ts";

describe("webhooks, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    const settings = { IRONLEASE_WEBHOOK_ALLOW: "127.0.0.1" };
    [service, browser] = await Promise.all([startConsoleService(settings), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test("a webhook is created, tested, sent again, given a new secret and deleted", async () => {
    const receiver = await startReceiver(fail);
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer, bypassCSP: true });
    await page.goto("/webhooks");
    await page.getByText("No webhooks yet").waitFor();
    await page.getByRole("button", { name: "Create webhook" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("URL").fill("https://10.0.0.1/");
    await dialog.getByRole("radio", { name: /^Some events/ }).check();
    const submit = dialog.getByRole("button", { name: "Create webhook" });
    assert.ok(await submit.isDisabled(), "no event is chosen yet");
    await dialog.getByRole("checkbox", { name: /^server\.active/ }).check();
    await submit.click();
    await page.locator("input[aria-invalid=true]").waitFor();
    assert.deepEqual(await accessibilityProblems(page, "the dialog"), []);
    await dialog.getByLabel("URL").fill(receiver.url);
    await submit.click();
    const secretIn = async () => {
      const shown = dialog.getByLabel("Secret", { exact: true });
      const secret = (await shown.textContent()) ?? "";
      await dialog.getByLabel("I have saved this secret").check();
      await dialog.getByRole("button", { name: "Done" }).click();
      await dialog.waitFor({ state: "detached" });
      return secret;
    };
    const secret = await secretIn();
    assert.match(secret, /^whsec_/);

    await page.getByRole("link", { name: receiver.url }).click();
    await page.getByText("Nothing sent yet").waitFor();
    await page.getByRole("button", { name: "Send test event" }).click();
    const row = page.getByRole("row", { name: /webhook\.test/ });
    await row.getByText("Waiting").waitFor();
    await sendDueWebhooks(service.core);
    await page.reload();
    await row.getByText("Not delivered, status 500").waitFor();
    receiver.answerWith(accept);
    const redelivered = page.waitForResponse((answer) => answer.url().endsWith("/redeliver"));
    await row.getByRole("button", { name: "Send again" }).click();
    assert.equal((await redelivered).status(), 202);
    await sendDueWebhooks(service.core);
    await page.reload();
    await row.getByText("Delivered, status 204").waitFor();
    assert.equal(receiver.received.length, 2);

    await page.getByRole("button", { name: "Replace secret" }).click();
    await dialog.getByRole("button", { name: "Replace secret" }).click();
    assert.notEqual(await secretIn(), secret);
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete webhook" }).click();
    await page.getByText("No webhooks yet").waitFor();
    await leave();
    await receiver.close();
  });
});
