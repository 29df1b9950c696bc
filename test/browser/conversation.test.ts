import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { completeAnyway, signInAtDesk } from "#test/desk-visitor.ts";
import { seedServer } from "#test/rental.ts";

describe("a conversation between a customer and an operator, in two browsers", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test("a reboot is requested, reported, questioned and answered with a saved reply", async () => {
    const customer = await service.register();
    const { id: accountId } = await service.core.db.read
      .selectFrom("accounts")
      .select("id")
      .where("username", "=", customer.username)
      .executeTakeFirstOrThrow();
    const server = await seedServer(service.core, accountId);
    const [desk, account] = await Promise.all([
      signInAtDesk(browser, service, "support"),
      visit(browser, service.url, { as: customer }),
    ]);
    const [operator, owner] = [desk.page, account.page];

    await owner.goto(`/servers/${server.id}?tab=settings`);
    await owner.getByRole("button", { name: "Edit label" }).click();
    await owner.getByRole("textbox", { name: "Label" }).fill("Shop");
    await owner.getByRole("button", { name: "Save" }).click();
    await owner.getByRole("heading", { name: "Shop", level: 1 }).waitFor();
    await owner.getByRole("button", { name: "Actions" }).click();
    await owner.getByRole("menuitem", { name: "Reboot" }).click();
    await owner.getByRole("button", { name: "Request reboot", exact: true }).click();
    await owner.getByText("Reboot requested").waitFor();

    await operator.goto("/work?kind=SERVER_ACTION");
    await operator.getByRole("button", { name: /^Claim/ }).click();
    await operator.getByLabel("Note").fill("The fan was loose.");
    await completeAnyway(operator, "Mark as done");
    await operator.getByText(/^Performed by /).waitFor();

    await owner.goto("/");
    await owner.getByRole("link", { name: "Messages 1 unread" }).waitFor();
    await owner.goto(`/servers/${server.id}`);
    await owner.getByRole("tab", { name: "Messages 1" }).click();
    await owner.getByText("The fan was loose.").waitFor();
    await owner.getByRole("link", { name: "Messages", exact: true }).first().waitFor();
    await owner.getByLabel("Message", { exact: true }).fill("Will it happen again?");
    await owner.getByRole("button", { name: "Send" }).click();
    await owner.getByRole("listitem").filter({ hasText: "Will it happen again?" }).waitFor();

    await operator.goto("/saved-replies");
    await operator.getByRole("button", { name: "Add reply" }).click();
    await operator.getByLabel("Name").fill("Fan replaced");
    await operator.getByLabel("Text").fill("We replaced the fan, so it should not.");
    await operator.getByRole("button", { name: "Save reply" }).click();
    await operator.getByRole("row", { name: /^Fan replaced/ }).waitFor();
    await operator.goto("/");
    await operator.getByRole("link", { name: "Messages 1 unanswered" }).click();
    await operator.getByRole("link", { name: /^Server / }).click();
    await operator.getByText("Will it happen again?").waitFor();
    await operator.getByRole("button", { name: "Fan replaced" }).click();
    await operator.getByRole("button", { name: "Send answer" }).click();
    await operator.getByText("Answered", { exact: true }).waitFor();

    await owner.reload();
    await owner.getByText("We replaced the fan, so it should not.").waitFor();
    await Promise.all([account.leave(), desk.leave()]);
  });

  test("an open thread is read again only when it has changed, within ten seconds", async () => {
    const customer = await service.register();
    const { id } = await write<{ id: string }>(customer, "POST", "/api/v1/threads", {
      subject: "Disk",
      text: "Is it broken?",
    });
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto(`/messages/${id}`);
    await page.getByText("Is it broken?").waitFor();
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    const poll = async () => {
      const polled = page.waitForResponse("**/api/v1/account-changes");
      await page.clock.runFor(10_000);
      await polled;
    };
    await poll();
    await poll();
    assert.deepEqual(new Set(requested), new Set(["/api/v1/account-changes"]));
    const operator = await service.operator("support");
    const body = { text: "No, only loose." };
    const headers = { "idempotency-key": "conversation-answer-1" };
    await operator.send("POST", `/operator/v1/threads/${id}/messages`, { body, headers });
    await poll();
    await page.getByText(body.text).waitFor();
    await leave();
  });

  test("a thread that an operator closes without a message is closed in the customer's list after a poll", async () => {
    const customer = await service.register();
    const text = "Hello";
    const { id } = await write<{ id: string }>(customer, "POST", "/api/v1/threads", {
      subject: "Disk",
      text,
    });
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto("/messages");
    const row = page.getByRole("row").filter({ hasText: "Disk" });
    await row.getByText("Open").waitFor();
    const operator = await service.operator("support");
    await operator.send("POST", `/operator/v1/threads/${id}/close`, {});
    await page.clock.runFor(30_000);
    await row.getByText("Closed").waitFor();
    await leave();
  });
});
