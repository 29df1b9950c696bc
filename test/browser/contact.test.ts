import assert from "node:assert/strict";
import { test } from "node:test";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService } from "#test/console-service.ts";
import { codeIn, startMailServer } from "#test/mail-server.ts";

test("a customer confirms an e-mail address, unsubscribes from a kind and removes the address", async (t) => {
  const browser = await launchBrowser();
  const mail = await startMailServer();
  const service = await startConsoleService(mail.settings);
  t.after(async () => {
    await browser.close();
    await service.close();
    await mail.close();
  });
  const customer = await service.register("ada");
  const { page, leave } = await visit(browser, service.url, { as: customer });
  await page.goto("/security");
  await page.getByRole("textbox", { name: "E-mail address" }).fill("ada@example.com");
  await page.getByRole("button", { name: "Send code" }).click();
  const code = codeIn(await mail.mailTo("ada@example.com", "Confirm your e-mail address"));
  await page.getByLabel("Code sent to ada@example.com").fill(code);
  await page.getByRole("button", { name: "Confirm", exact: true }).click();
  await page.getByText("Confirmed", { exact: true }).waitFor();

  const messages = page.getByRole("switch", { name: "Messages" });
  await messages.click();
  await page.getByRole("switch", { name: "Messages", checked: false, disabled: false }).waitFor();
  const { unsubscribed } = (await customer.send("GET", "/api/v1/contact")).json;
  assert.deepEqual(unsubscribed, ["MESSAGES"]);

  await page.getByRole("button", { name: "Remove ada@example.com" }).click();
  await page.getByRole("button", { name: "Remove address" }).click();
  await page.getByText("Confirmed", { exact: true }).waitFor({ state: "detached" });
  await mail.mailTo("ada@example.com", "Your e-mail address was removed");
  await leave();
});
