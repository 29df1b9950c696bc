import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { adjustBalance } from "#server/features/customers/adjust-balance.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { signInAtDesk } from "#test/desk-visitor.ts";
import { operatorCall } from "#test/operators.ts";
import type { Customer } from "#test/service.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";

const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGJvR3h5dUVqY0tqUXlVb0Vpb2VqZGhzamtsYXNkZmdo ada@laptop";
const longName = "K".repeat(64);
const longReason = "R".repeat(500);
const longHostname = `${"h".repeat(60)}.${"o".repeat(60)}.${"s".repeat(60)}.example.com`;
const widths = [390, 1440];

describe("long words without breaks, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  let customer: Customer;
  let accountId: string;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
    customer = await service.register();
    const { core } = service;
    accountId = (
      await core.db.read
        .selectFrom("accounts")
        .select("id")
        .where("username", "=", customer.username)
        .executeTakeFirstOrThrow()
    ).id;
    const admin = await operatorCall(core, "admin");
    const gift = { usd: 400, reason: longReason };
    await valueOf(
      adjustBalance(core, { ...admin, intent: intentOf("adjustBalance") }, { accountId, ...gift }),
    );
    await write(customer, "POST", "/api/v1/api-keys", { name: longName, scope: "read" });
    await write(customer, "POST", "/api/v1/ssh-keys", { name: longName, publicKey });
    const choice = { configId: "metal-s", regionId: "fra", osId: "debian-13" };
    const order = { ...choice, term: "monthly", quantity: 1 };
    const placed = await write<{ serverIds: string[] }>(customer, "POST", "/api/v1/orders", order);
    await service.deliver(placed.serverIds[0] ?? "", longHostname);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  /** By how many pixels the page, or a table in its container, is too wide. */
  const overflowOf = (page: Page) =>
    page.evaluate(() =>
      [document.documentElement, ...document.querySelectorAll("[role=table]")].map((element) => {
        const frame = element.parentElement ?? element;
        const box = element === document.documentElement ? element : frame;
        return Math.max(0, box.scrollWidth - box.clientWidth);
      }),
    );

  const pages = [
    ["/", "Overview"],
    ["/billing", "Billing"],
    ["/keys", "SSH and API keys"],
    ["/servers", "Servers"],
    ["/network", "Network"],
  ] as const;

  test("Amount and Balance stay in the ledger at every width", async () => {
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing");
    const row = page.getByRole("row").filter({ hasText: longReason });
    for (const width of [360, 640, 860, 1024, 1280, 2560]) {
      await page.setViewportSize({ width, height: 900 });
      const table = (await page.getByRole("table").boundingBox()) ?? assert.fail();
      // The cells: phones leave out the balance.
      for (const cell of await row.getByRole("cell").all()) {
        const { x, width: own } = (await cell.boundingBox()) ?? { x: table.x, width: 0 };
        assert.ok(x >= table.x && x + own <= table.x + table.width + 1, `${width} px`);
      }
      assert.ok(await row.getByText("+$400.00").isVisible());
    }
    await leave();
  });

  for (const width of widths) {
    for (const [path, heading] of pages) {
      test(`${heading} fits at ${width} px, with every button visible`, async () => {
        const { page, leave } = await visit(browser, service.url, {
          as: customer,
          viewport: { width, height: 900 },
        });
        await page.goto(path);
        await page.getByRole("heading", { name: heading, level: 1 }).waitFor();
        await page.waitForFunction(() => document.querySelector("[aria-label=Loading]") === null);
        assert.deepEqual(new Set(await overflowOf(page)), new Set([0]));
        const buttons = await page.getByRole("button", { name: /^(Remove|Revoke)/ }).all();
        assert.equal(buttons.length, path === "/keys" ? 2 : 0);
        for (const button of buttons) {
          const { x = -1, width: own = 0 } = (await button.boundingBox()) ?? {};
          assert.ok(x >= 0 && x + own <= width, `a button is at ${x} of ${width} px`);
          await button.click();
          const dialog = (await page.getByRole("dialog").boundingBox()) ?? assert.fail();
          assert.ok(dialog.width <= width, `the dialog is ${dialog.width} px wide`);
          await page.getByRole("button", { name: "Cancel" }).click();
        }
        await leave();
      });
    }

    test(`the desk's account page fits at ${width} px`, async () => {
      const desk = await signInAtDesk(browser, service, "admin");
      await desk.page.setViewportSize({ width, height: 900 });
      for (const tab of ["servers", "ledger", "audit"]) {
        await desk.page.goto(`/accounts/${accountId}?show=${tab}`);
        await desk.page.getByRole("table").waitFor();
        assert.deepEqual(new Set(await overflowOf(desk.page)), new Set([0]), tab);
      }
      await desk.leave();
    });
  }
});
