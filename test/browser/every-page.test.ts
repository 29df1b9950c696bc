import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { accountRoutes, urlOf } from "#console/app/urls.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { accessibilityProblems } from "#test/accessibility.ts";
import { launchBrowser, visit, type Visitor } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import { populateAccount } from "#test/populate-account.ts";
import { tabTo, walkByKeyboard } from "#test/keyboard.ts";
import { password, type Customer } from "#test/service.ts";

/** The URL of a page, and the heading that shows that it has loaded. */
interface PageVisit {
  readonly path: string;
  readonly heading: string;
  /** Opens content that is hidden at first. */
  readonly prepare?: (page: Page) => Promise<void>;
}

describe("every page of an account with history", () => {
  let service: ConsoleService;
  let browser: Browser;
  let customer: Customer;
  let pages: Readonly<Record<keyof typeof accountRoutes, PageVisit>>;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(noMailServer), launchBrowser()]);
    await populateAccount(service, "ada");
    await signLiabilities(service.core);
    customer = await service.signIn("ada");
    const { orders } = (await customer.send("GET", "/api/v1/orders")).json;
    const { servers } = (await customer.send("GET", "/api/v1/servers")).json;
    const { id } = servers.find((server: { hostname: string }) =>
      server.hostname?.startsWith("web1"),
    );
    const { entries } = (await customer.send("GET", "/api/v1/ledger")).json;
    const { threads } = (await customer.send("GET", "/api/v1/threads")).json;
    // Its thread has a sealed message.
    const disk = threads.find(({ subject }: { subject: string }) => subject === "Second disk");
    const { depositAddresses } = (await customer.send("GET", "/api/v1/deposit-addresses")).json;
    const { webhooks } = (await customer.send("GET", "/api/v1/webhooks")).json;
    const choice = "?config=metal-m&region=fra&os=debian-13&quantity=5";
    pages = {
      overview: { path: "/", heading: "Overview" },
      signIn: { path: "/sign-in", heading: "Sign in" },
      register: { path: "/register", heading: "Create account" },
      recover: { path: "/recover", heading: "Use a recovery code" },
      order: { path: `/order${choice}`, heading: "Order servers" },
      reviewOrder: { path: `/order/review${choice}`, heading: "Review your order" },
      placedOrder: { path: `/order/placed/${orders[0].id}`, heading: "Order placed" },
      servers: { path: "/servers", heading: "Servers" },
      server: { path: `/servers/${id}`, heading: "web1.example.com" },
      network: { path: "/network", heading: "Network" },
      billing: { path: "/billing", heading: "Billing" },
      receipt: { path: `/billing/entries/${entries[0].id}`, heading: "Receipt" },
      statements: {
        path: "/billing/statements",
        heading: "Statements",
        prepare: async (page) => {
          await page.getByLabel("Period").selectOption("custom");
          await page.getByLabel("First day").fill("2020-01-01");
          await page.getByLabel("Last day").fill("2099-12-31");
          await page.getByRole("button", { name: "Verify in this browser" }).click();
          await page.getByText("Statement verified").waitFor();
          await page.getByText("Your balance is part of the total").waitFor();
        },
      },
      deposit: {
        path: "/billing/deposit?asset=BTC",
        heading: "Deposit",
        prepare: async (page) => {
          await page.getByRole("link", { name: "Continue with BTC" }).waitFor();
        },
      },
      depositAddress: {
        path: `/billing/deposit/${depositAddresses[0].id}?usd=100`,
        heading: "Deposit Litecoin (LTC)",
        prepare: async (page) => {
          await page.getByRole("img", { name: /QR/ }).waitFor();
        },
      },
      withdraw: { path: "/billing/withdraw", heading: "Withdraw" },
      messages: { path: "/messages", heading: "Messages" },
      newMessage: { path: `/messages/new?server=${id}`, heading: "New message" },
      thread: { path: `/messages/${disk.id}`, heading: disk.subject },
      webhooks: { path: "/webhooks", heading: "Webhooks" },
      webhook: { path: `/webhooks/${webhooks[0].id}`, heading: "hooks.example.com" },
      keys: { path: "/keys", heading: "SSH and API keys" },
      security: { path: "/security", heading: "Security" },
      secondFactor: { path: "/security/second-factor", heading: "Set up your second factor" },
      activity: { path: "/activity", heading: "Activity" },
    };
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function open({ page }: Visitor, { path, heading, prepare }: PageVisit): Promise<void> {
    await page.goto(path);
    await page.getByRole("heading", { name: heading, level: 1, exact: true }).waitFor();
    await page.waitForFunction(() => document.querySelector("[aria-label=Loading]") === null);
    await prepare?.(page);
  }

  test("passes axe in light and dark, on a wide screen and at 360 px", async () => {
    // The content security policy would block axe.
    const visitor = await visit(browser, service.url, { as: customer, bypassCSP: true });
    const { page } = visitor;
    const problems: string[] = [];
    const { server } = pages;
    const views: Readonly<Record<string, PageVisit>> = {
      ...pages,
      pastServers: { ...pages.servers, path: `${pages.servers.path}?state=TERMINATED` },
      serverNetwork: { ...server, path: `${server.path}?tab=network` },
      serverMessages: { ...server, path: `${server.path}?tab=messages` },
      serverBilling: { ...server, path: `${server.path}?tab=billing` },
      serverSettings: { ...server, path: `${server.path}?tab=settings` },
    };
    for (const [name, visited] of Object.entries(views)) {
      await page.setViewportSize({ width: 1280, height: 900 });
      await page.emulateMedia({ colorScheme: "light" });
      await open(visitor, visited);
      problems.push(...(await accessibilityProblems(page, `${name}, light`)));
      await page.emulateMedia({ colorScheme: "dark" });
      // The sidebar is the same everywhere and hidden on narrow screens.
      if (name === "overview")
        problems.push(...(await accessibilityProblems(page, `${name}, dark`)));
      await page.setViewportSize({ width: 360, height: 740 });
      problems.push(...(await accessibilityProblems(page, `${name}, dark at 360 px`)));
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      if (overflow > 0) problems.push(`${name} is ${overflow} px too wide at 360 px`);
    }
    assert.deepEqual(problems, []);
    await visitor.leave();
  });

  test("a row of addresses, keys, sessions, deliveries or withdrawals is a card on a phone", async () => {
    const viewport = { width: 360, height: 740 };
    const visitor = await visit(browser, service.url, { as: customer, viewport });
    const most = {
      network: 130,
      keys: 130,
      security: 150,
      deposit: 110,
      webhook: 130,
      withdraw: 90,
    };
    for (const [name, height] of Object.entries(most)) {
      await open(visitor, pages[name as keyof typeof most]);
      const rows = visitor.page.getByRole("table").locator("tbody").getByRole("row");
      const heights = await rows.evaluateAll((found) => found.map((row) => row.clientHeight));
      assert.ok(Math.max(...heights) <= height, `${name}: ${heights.join(", ")} px`);
    }
    await visitor.leave();
  });

  test("long addresses and ids do not push a button out of view on a tablet", async () => {
    const operator = await service.operator("finance");
    const queue = "/operator/v1/work";
    const { work: items } = (await operator.send("GET", `${queue}?kind=WITHDRAWAL`)).json;
    const body = { transactionId: "ab".repeat(32) };
    await operator.send("POST", `${queue}/${items[0].id}/claim`);
    const paid = await operator.send("POST", `${queue}/${items[0].id}/complete`, { body });
    assert.equal(paid.status, 200, JSON.stringify(paid.json));
    const viewport = { width: 700, height: 900 };
    const visitor = await visit(browser, service.url, { as: customer, viewport });
    for (const name of ["keys", "deposit", "webhook", "withdraw"] as const) {
      await open(visitor, pages[name]);
      const overflow = await visitor.page
        .getByRole("table")
        .evaluateAll((found) =>
          found.map(({ parentElement: box }) => (box?.scrollWidth ?? 0) - (box?.clientWidth ?? 0)),
        );
      assert.ok(Math.max(...overflow) <= 0, `${name}: ${overflow.join(", ")} px too wide`);
    }
    await visitor.leave();
  });

  test("a page whose id is unknown says what was not found", async () => {
    // The content security policy would block axe.
    const { page, leave } = await visit(browser, service.url, { as: customer, bypassCSP: true });
    const whats = {
      server: "Server",
      receipt: "Receipt",
      depositAddress: "Address",
      thread: "Message",
      webhook: "Webhook",
    } as const;
    for (const [name, what] of Object.entries(whats)) {
      await page.goto(urlOf(accountRoutes[name as keyof typeof whats], { id: "unknown" }));
      await page.getByText(`${what} not found`, { exact: true }).waitFor();
      assert.equal(await page.getByRole("alert").count(), 0, name);
    }
    assert.deepEqual(await accessibilityProblems(page, "an unknown webhook"), []);
    await leave();
  });

  test("is reachable by keyboard with a visible focus", async () => {
    const visitor = await visit(browser, service.url, { as: customer });
    for (const [name, visited] of Object.entries(pages)) {
      await open(visitor, visited);
      assert.deepEqual(await walkByKeyboard(visitor.page), [], name);
    }
    await visitor.leave();
  });

  test("an order can be placed by keyboard alone, from sign-in to confirmation", async () => {
    const { page, leave } = await visit(browser, service.url);
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await tabTo(page, /^Username/);
    await page.keyboard.type("ada");
    await tabTo(page, /^Password/);
    await page.keyboard.type(password);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Overview" }).waitFor();
    await tabTo(page, /^Order servers/);
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Order servers" }).waitFor();
    await tabTo(page, /^Metal S/);
    await page.keyboard.press("Space");
    await page.getByRole("link", { name: "Review order" }).waitFor();
    await tabTo(page, /^Review order/);
    await page.keyboard.press("Enter");
    await page.getByText("You have not placed this order yet").waitFor();
    await tabTo(page, /^Place order for/);
    await page.keyboard.press("Enter");
    await page.getByText("Accepted and paid").waitFor();
    await leave();
  });
});
