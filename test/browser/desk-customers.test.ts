import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { completeAnyway, signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";
import { adjust, assertInvariants } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";
import { ok } from "#server/kernel/result.ts";
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

  test("a search by keyboard opens a server, an id opens at once, and each of 980 servers can be reached", async () => {
    const { page } = desk;
    const customer = await service.register("ada-many-servers");
    const serverId = await orderServer(customer);
    await service.deliver(serverId, "shop-frontend-1.example.com");
    await page.goto("/");
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await page.keyboard.press("/");
    const field = page.getByRole("combobox", { name: "Search" });
    await field.waitFor();
    await page.keyboard.type("shop-front");
    await page.getByRole("option", { name: /shop-frontend-1/ }).waitFor();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "shop-frontend-1.example.com" }).waitFor();
    await page.getByText("Order charge").waitFor();

    const accountId = await accountOf(customer);
    await addServers(accountId, 979);
    const ids = service.core.db.read.selectFrom("servers").select("id");
    const all = await ids.where("account_id", "=", accountId).orderBy("created_at").execute();
    assert.equal(all.length, 980);
    await page.keyboard.press("Control+k");
    await field.fill(all[500]?.id ?? "");
    await page.getByText(all[500]?.id.slice(-6) ?? "").waitFor();
    await page.waitForURL(`**/servers/${all[500]?.id}`);

    await page.goto(`/accounts/${accountId}`);
    const seen = new Set<string>();
    for (;;) {
      await page.getByRole("table", { name: "Servers" }).waitFor();
      const links = page.getByRole("rowheader").locator("a[href^='/servers/']");
      const before = seen.size;
      for (const href of await links.evaluateAll((list) =>
        list.map((a) => a.getAttribute("href")),
      )) {
        seen.add(href ?? "");
      }
      assert.ok(seen.size > before, "the next page has other servers");
      const next = page.getByRole("link", { name: "Next page" });
      if ((await next.count()) === 0) break;
      const last = [...seen].at(-1) ?? "";
      await next.click();
      await page.locator(`a[href="${last}"]`).first().waitFor({ state: "detached" });
    }
    assert.equal(seen.size, 980);
    await service.core.db.write(async (tx) => {
      await tx.deleteFrom("servers").where("hostname", "like", "old-%").execute();
      return ok();
    });
  });

  /** Copies of the account's one server. They need no machines of their own to be listed. */
  const addServers = (accountId: string, count: number) =>
    service.core.db.write(async (tx) => {
      const row = await tx
        .selectFrom("servers")
        .selectAll()
        .where("account_id", "=", accountId)
        .executeTakeFirstOrThrow();
      const copies = Array.from({ length: count }, (_, index) => ({
        ...row,
        ...{ id: service.core.ids.next("server"), state: "TERMINATED" as const },
        ...{ hostname: `old-${index}.example.com`, created_at: row.created_at + index + 1 },
      }));
      for (let start = 0; start < count; start += 100) {
        await tx
          .insertInto("servers")
          .values(copies.slice(start, start + 100))
          .execute();
      }
      return ok();
    });

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
