import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { watchSettlement } from "#server/features/deposits/watch-settlement.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { completeAnyway, signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";
import { tabTo } from "#test/keyboard.ts";
import { assertInvariants } from "#test/rental-service.ts";

describe("customers and the desk, in browsers", () => {
  let service: ConsoleService;
  let browser: Browser;
  let desk: DeskVisitor;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
    desk = await signInAtDesk(browser, service, "finance");
  });
  after(async () => {
    await desk.leave();
    await browser.close();
    try {
      await assertInvariants(service.core.db);
    } finally {
      await service.close();
    }
  });

  /** Claims the oldest open item of a kind in the list, which opens its page. */
  const claim = async (page: Page, kind: string) => {
    await page.goto(`/work?kind=${kind}`);
    await page
      .getByRole("button", { name: /^Claim/ })
      .first()
      .click();
    await page.getByRole("heading", { name: "Claimed by you" }).waitFor();
  };

  test("deposit, order, delivery by keyboard, reboot, DDoS mode and reverse DNS", async () => {
    const customer = await service.register();
    const account = await visit(browser, service.url, { as: customer });
    const { page } = account;
    await page.goto("/billing/deposit");
    await page.getByRole("radio", { name: /BTC/ }).check();
    await page.getByRole("button", { name: "Get BTC address" }).click();
    const address = (await page.getByLabel("Deposit address").textContent()) ?? "";

    await desk.page.goto("/deposits");
    const pay = desk.page.getByRole("form", { name: "Simulate a payment" });
    await pay.getByLabel("Address").fill(address);
    await pay.getByLabel("Amount").fill("0.02");
    await pay.getByRole("button", { name: "Pay" }).click();
    await pay.getByText("Sent.").waitFor();
    await watchSettlement(service.core);
    await page.getByText(/^Credited \$/).waitFor();

    await page.goto("/order/review?config=metal-s&region=fra&os=debian-13&term=monthly&quantity=1");
    await page.getByRole("button", { name: /^Order|^Place/ }).click();
    await page.waitForURL(/\/order\/placed\//);

    await desk.page.goto("/work");
    await desk.page.getByRole("row", { name: new RegExp(customer.username) }).waitFor();
    await tabTo(desk.page, /^Claim/);
    await desk.page.keyboard.press("Enter");
    await desk.page.getByLabel("Hostname", { exact: true }).waitFor();
    await desk.page.getByRole("timer", { name: "Your claim ends in" }).waitFor();
    // The field already has the focus.
    await desk.page.keyboard.type("web-1.example.com");
    await desk.page.getByText("Address=203.0.113.").first().waitFor();
    const steps = await desk.page.getByRole("checkbox").all();
    for (const step of steps) {
      const isTicked = await step.evaluate(async (box: HTMLInputElement) => {
        box.click();
        // Long enough for what is drawn next, and too short for the service's answer or a timer.
        for (let turn = 0; turn < 100; turn += 1) await Promise.resolve();
        return box.checked;
      });
      assert.ok(isTicked);
    }
    for (const step of steps) assert.ok(await step.isChecked());
    const ticked = desk.page.getByText(new RegExp(`^${desk.username}, `));
    await ticked.nth(steps.length - 1).waitFor();
    await tabTo(desk.page, /^Mark as delivered/);
    await desk.page.keyboard.press("Enter");
    await desk.page.getByText(/^Delivered by /).waitFor();

    await page.goto("/servers");
    await page.getByRole("link", { name: "web-1.example.com" }).click();
    await page.getByText("Active", { exact: true }).first().waitFor();
    const { servers } = (await customer.send("GET", "/api/v1/servers")).json;
    const [{ id }] = servers;
    await write(customer, "POST", `/api/v1/servers/${id}/actions`, { action: "reboot" });
    await write(customer, "PUT", `/api/v1/servers/${id}/ddos`, { mode: "ADVANCED" });

    await claim(desk.page, "SERVER_ACTION");
    await desk.page.getByText("Reboot", { exact: true }).waitFor();
    await desk.page.getByLabel("Note").fill("Power-cycled at the rack.");
    await completeAnyway(desk.page, "Mark as done");
    await desk.page.getByText(/^Performed by /).waitFor();
    await desk.page.getByText("Power-cycled at the rack.").waitFor();

    await claim(desk.page, "DDOS");
    await desk.page.getByLabel("Price per term").fill("nonsense");
    await desk.page.getByRole("button", { name: "Offer quote" }).click();
    await desk.page.getByText(/Must be an amount in USD from 0 to 100000/).waitFor();
    await desk.page.getByLabel("Price per term").fill("120.50");
    await desk.page.getByRole("button", { name: "Offer quote" }).click();
    await desk.page.getByRole("heading", { name: "Waiting for customer" }).waitFor();
    await desk.page.goto("/work?state=WAITING");
    await desk.page.getByRole("row", { name: new RegExp(customer.username) }).waitFor();

    await page.reload();
    // A term that has just begun. Its rest costs a cent less every few minutes.
    await page.getByText(/^About \$120\.(50|4\d), for the rest of this term/).waitFor();
    await page.getByRole("button", { name: "Accept quote" }).click();
    const dialog = page.getByRole("dialog", { name: "Accept this quote?" });
    await dialog.getByRole("button", { name: "Accept quote" }).click();
    await page.getByText("You accepted this quote. An operator will apply it.").waitFor();

    await claim(desk.page, "DDOS");
    await completeAnyway(desk.page, "Mark as applied");
    await desk.page.getByText(/^Applied by /).waitFor();
    const server = (await customer.send("GET", `/api/v1/servers/${id}`)).json;
    assert.deepEqual(
      [server.ddosMode, server.ddosUsd, server.ddos.quote],
      ["ADVANCED", 120.5, null],
    );
    await page.goto("/billing");
    await page.getByText(/^DDoS protection of web-1\.example\.com until /).waitFor();

    await page.goto("/network");
    await page
      .getByRole("button", { name: /^Edit reverse DNS name/ })
      .first()
      .click();
    await page.getByRole("textbox", { name: /^Reverse DNS name/ }).fill("web-1.example.com");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("cell", { name: "web-1.example.com Edit" }).first().waitFor();
    await account.leave();
  });

  test("a large withdrawal needs two operators", async () => {
    const customer = await service.register();
    await desk.page.goto(`/accounts?query=${customer.username}`);
    await desk.page.getByRole("link", { name: customer.username, exact: true }).click();
    await desk.page.getByRole("button", { name: "Adjust balance" }).click();
    await desk.page.getByLabel("Amount in USD").fill("7000");
    await desk.page.getByLabel("Reason").fill("Paid by bank transfer.");
    await desk.page.getByRole("button", { name: "Add to balance" }).dblclick();
    await desk.page.getByText("$7,000.00").first().waitFor();
    const destination = `sim-btc-${"a".repeat(24)}`;
    const request = { asset: "BTC", destination, usd: "6000" };
    await write(customer, "POST", "/api/v1/withdrawals", request);

    await claim(desk.page, "WITHDRAWAL");
    await desk.page.getByText("$6,000.00").waitFor();
    await desk.page.getByRole("button", { name: "Approve" }).click();
    await desk.page.getByText("One more approval needed").waitFor();
    await desk.page.getByText("You approved this.").waitFor();

    const second = await signInAtDesk(browser, service, "finance");
    await second.page.goto("/withdrawals");
    await second.page.getByRole("cell", { name: `${desk.username} One more needed` }).waitFor();
    await claim(second.page, "WITHDRAWAL");
    await second.page.getByRole("button", { name: "Approve" }).click();
    await second.page.getByText(/is required: it proves/i).waitFor();
    await second.page.getByLabel("Transaction id").fill("tx-of-the-payment");
    await completeAnyway(second.page, "Approve");
    await second.page.getByText(/^Paid by /).waitFor();
    await second.leave();
    const ledger = (await customer.send("GET", "/api/v1/ledger")).json;
    assert.deepEqual([ledger.balanceUsd, ledger.heldUsd], [1_000, 0]);
  });

  test("when two operators claim one item, one gets it and the other sees who", async () => {
    const customer = await service.register();
    const destination = `sim-btc-${"b".repeat(24)}`;
    const finance = await service.operator("finance");
    const found = await finance.send("GET", `/operator/v1/accounts?query=${customer.username}`);
    const [{ id }] = found.json.accounts;
    await finance.send("POST", `/operator/v1/accounts/${id}/adjustments`, {
      body: { usd: 100, reason: "A gift." },
      headers: { "idempotency-key": "two-desks-1" },
    });
    await write(customer, "POST", "/api/v1/withdrawals", { asset: "BTC", destination, usd: "50" });
    const other = await signInAtDesk(browser, service, "finance");
    const pages = [desk.page, other.page];
    await desk.page.goto("/work?kind=WITHDRAWAL");
    await desk.page.getByRole("link", { name: "Withdrawal", exact: true }).last().click();
    await desk.page.getByRole("heading", { name: "Open" }).waitFor();
    await other.page.goto(new URL(desk.page.url()).pathname);
    await other.page.getByRole("heading", { name: "Open" }).waitFor();
    await Promise.all(pages.map((page) => page.getByRole("button", { name: "Claim" }).click()));
    const mine = await Promise.any(
      pages.map(async (page) => {
        await page.getByRole("heading", { name: "Claimed by you" }).waitFor();
        return page;
      }),
    );
    const loser = mine === desk.page ? other.page : desk.page;
    await loser.getByRole("heading", { name: /^Claimed by / }).waitFor();
    assert.equal(await loser.getByRole("button", { name: "Approve" }).count(), 0);

    await mine.getByRole("button", { name: "Reject…" }).click();
    await mine.getByLabel("Reason").fill("The destination is on a list.");
    await mine.getByRole("button", { name: "Reject", exact: true }).click();
    await mine.getByText(/^Rejected by /).waitFor();
    await other.leave();
  });

  test("items are claimed and completed together, and one that another operator has is named", async () => {
    const customer = await service.register();
    const finance = await service.operator("finance");
    const found = await finance.send("GET", `/operator/v1/accounts?query=${customer.username}`);
    const [{ id: accountId }] = found.json.accounts;
    await finance.send("POST", `/operator/v1/accounts/${accountId}/adjustments`, {
      body: { usd: 500, reason: "A gift." },
      headers: { "idempotency-key": "three-servers" },
    });
    const choice = { configId: "metal-s", regionId: "fra", osId: "debian-13", term: "monthly" };
    await write(customer, "POST", "/api/v1/orders", { ...choice, quantity: 3 });
    const { page } = desk;
    await page.goto(`/work?account=${accountId}&state=ALL`);
    await page.getByLabel("Select all").check();
    await page.getByText("3 selected").waitFor();
    // The box is half checked while some items are selected, and checks the others.
    const isPartial = () =>
      page.getByLabel(/selected/).evaluate((box: HTMLInputElement) => box.indeterminate);
    assert.equal(await isPartial(), false);
    await page
      .getByLabel(/^Select Deliver/)
      .first()
      .uncheck();
    await page.getByText("2 selected").waitFor();
    assert.equal(await isPartial(), true);
    await page.getByLabel("2 selected").click();
    await page.getByText("3 selected").waitFor();
    assert.equal(await isPartial(), false);
    await page.getByRole("button", { name: "Assign 3…" }).click();
    const dialog = page.getByRole("dialog", { name: "Assign 3 items" });
    await dialog.getByLabel("Operator").selectOption(finance.username);
    await dialog.getByRole("button", { name: "Assign" }).click();
    await page.getByText("3 of 3 assigned").waitFor();
    // From here on the list stays as it is, as if another operator were faster than the next refresh.
    const taken = Promise.withResolvers<void>();
    await page.route("**/operator/v1/work?*", async (route) => {
      await taken.promise;
      await route.continue();
    });
    const { work } = (await finance.send("GET", `/operator/v1/work?accountId=${accountId}`)).json;
    await finance.send("POST", `/operator/v1/work/${work[1].id}/claim`);
    await page.getByRole("button", { name: "Claim 3" }).click();
    await page.getByText("2 of 3 claimed").waitFor();
    const failed = page.getByRole("list", { name: "Failed items" }).getByRole("listitem");
    assert.equal(await failed.count(), 1);
    const why = (await failed.textContent()) ?? "";
    assert.ok(why.includes(`${finance.username} has claimed`));
    assert.doesNotMatch(why, /\dT\d/, "times are in the operator's time zone");
    taken.resolve();

    await page.getByRole("button", { name: "Complete 2…" }).click();
    await page.getByRole("button", { name: "Complete 2 items" }).click();
    await page.getByText("2 of 2 completed").waitFor();
    const ended = await finance.send("GET", `/operator/v1/work?accountId=${accountId}&state=DONE`);
    assert.equal(ended.json.work.length, 2);

    await page.goto(`/work/${work[1].id}`);
    await page.getByRole("button", { name: "Assign to me" }).click();
    await page.getByText(`Assigned to ${desk.username}`).waitFor();
    await page.getByRole("button", { name: "Assign…" }).click();
    const own = page.getByRole("dialog", { name: "Assign this item" });
    await own.getByLabel("Operator").selectOption({ label: "No one" });
    await own.getByRole("button", { name: "Assign" }).click();
    await page.getByText("Assigned to no one").waitFor();
    await page.getByRole("button", { name: "Assign to me" }).click();
    await page.goto("/work");
    await page.getByLabel("Operator").selectOption("mine");
    await page.locator(`a[href="/work/${work[1].id}"]`).first().waitFor();
    assert.match(page.url(), /show=mine/);
  });

  test("actions that a role does not allow are not offered", async () => {
    const support = await signInAtDesk(browser, service, "support");
    await support.page.goto("/withdrawals?state=ALL");
    await support.page.getByRole("table", { name: "Withdrawals" }).waitFor();
    assert.equal(await support.page.getByRole("button", { name: /^Claim/ }).count(), 0);
    await support.page.goto("/catalogue");
    await support.page.getByText("Only admins can change it.").waitFor();
    assert.equal(await support.page.getByRole("button", { name: "Review and save" }).count(), 0);
    await support.leave();
  });
});
