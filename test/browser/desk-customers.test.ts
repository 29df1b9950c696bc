import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { completeAnyway, signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";
import { adjust, assertInvariants } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";
import type { Customer } from "#test/service.ts";

const choice = {
  configId: "metal-s",
  regionId: "fra",
  osId: "debian-13",
  term: "monthly",
  quantity: 1,
} as const;

describe("operators managing customers, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  let desk: DeskVisitor;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
    desk = await signInAtDesk(browser, service, "admin");
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

  const accountOf = async ({ username }: Customer): Promise<string> => {
    const accounts = service.core.db.read.selectFrom("accounts").select("id");
    return (await accounts.where("username", "=", username).executeTakeFirstOrThrow()).id;
  };
  const orderServer = async (customer: Customer): Promise<string> => {
    await adjust(service.core, await accountOf(customer), 20_000);
    const { serverIds } = await write<{ serverIds: string[] }>(
      ...([customer, "POST", "/api/v1/orders", choice] as const),
    );
    return serverIds[0] ?? assert.fail();
  };
  const machineStateOf = async (serverId: string) => {
    const { state } = await service.core.db.read
      .selectFrom("machines")
      .innerJoin("servers", "servers.machine_id", "machines.id")
      .select("machines.state")
      .where("servers.id", "=", serverId)
      .executeTakeFirstOrThrow();
    return state;
  };

  test("failing a delivery sets the machine to DIRTY unless the operator chooses otherwise", async () => {
    for (const [label, state] of [
      [undefined, "DIRTY"],
      ["Retired: take it out of service", "RETIRED"],
    ] as const) {
      const serverId = await orderServer(await service.register());
      await desk.page.goto("/work?kind=PROVISION");
      await desk.page.getByRole("button", { name: /^Claim/ }).click();
      await desk.page.getByRole("button", { name: "Fail delivery…" }).click();
      await desk.page.getByLabel("Reason").fill("It does not start.");
      if (label !== undefined)
        await desk.page.getByRole("combobox", { name: "Machine" }).selectOption({ label });
      await desk.page.getByRole("button", { name: "Fail delivery", exact: true }).click();
      await desk.page.getByText(/^Refunded by /).waitFor();
      assert.equal(await machineStateOf(serverId), state);
    }
  });

  test("the second page of an account's servers shows server 101 and can suspend it", async () => {
    const accountId = await accountOf(await service.register());
    const first = await seedServer(service.core, accountId);
    for (let count = 0; count < 100; count += 1) {
      await seedServer(service.core, accountId, { addressSets: 0 });
    }
    const { page } = desk;
    await page.goto(`/accounts/${accountId}`);
    await page.getByRole("link", { name: "Servers 100+" }).waitFor();
    await page.getByRole("link", { name: "Next page" }).click();
    const hostname = `${first.id.replace("_", "-")}.example.com`;
    await page.getByRole("button", { name: `Suspend ${hostname}` }).click();
    await page.getByLabel("Reason").fill("Abuse.");
    await page.getByRole("button", { name: "Suspend server" }).click();
    await page.getByRole("button", { name: `Resume ${hostname}` }).waitFor();
    await page.getByRole("link", { name: "First page" }).click();
    await page.getByRole("link", { name: "Next page" }).waitFor();
    for (const tab of ["Ledger", "Orders"]) {
      await page.getByRole("link", { name: new RegExp(`^${tab}`) }).click();
      await page.getByRole("link", { name: "Next page" }).click();
      await page.getByRole("table", { name: tab }).waitFor();
      await page.getByRole("link", { name: "First page" }).waitFor();
    }
  });

  test("a suspension shows the customer the reason and queues power off, then a reboot on resume", async () => {
    const customer = await service.register();
    const accountId = await accountOf(customer);
    const serverId = await orderServer(customer);
    await service.deliver(serverId, "web-1.example.com");
    const { page } = desk;
    await page.goto(`/accounts/${accountId}`);
    await page.getByRole("button", { name: "Suspend web-1.example.com" }).click();
    await page.getByText("The customer sees this text").waitFor();
    await page.getByLabel("Reason").fill("Spam from this address.");
    await page.getByRole("button", { name: "Suspend server" }).click();
    await page.getByRole("button", { name: "Resume web-1.example.com" }).waitFor();

    const visitor = await visit(browser, service.url, { as: customer });
    await visitor.page.goto("/servers");
    await visitor.page.getByText("Spam from this address.").waitFor();
    await visitor.page.getByRole("link", { name: "web-1.example.com" }).click();
    await visitor.page.getByText("This server is suspended").waitFor();
    await visitor.page.getByText("Spam from this address.").waitFor();

    await page.goto("/work?kind=SERVER_ACTION");
    const row = page.getByRole("row").filter({ hasText: customer.username });
    await row.getByText(/^Power off · /).waitFor();
    await row.getByRole("button", { name: /^Claim/ }).click();
    await page.getByText("An operator, to suspend the server").waitFor();
    await completeAnyway(page, "Mark as done");
    await page.getByText(/^Performed by /).waitFor();

    await page.goto(`/accounts/${accountId}`);
    await page.getByRole("button", { name: "Resume web-1.example.com" }).click();
    await page.getByLabel("Reason").fill("The mail server is fixed.");
    await page.getByRole("button", { name: "Resume server" }).click();
    await page.getByRole("button", { name: "Suspend web-1.example.com" }).waitFor();
    await page.goto("/work?kind=SERVER_ACTION");
    await row.getByText(/^Reboot · /).waitFor();
    await visitor.page.reload();
    await visitor.page.getByText("Active", { exact: true }).waitFor();
    assert.equal(await visitor.page.getByText("This server is suspended").count(), 0);
    await visitor.leave();
  });
});
