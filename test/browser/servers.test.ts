import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { seedManyServers } from "#test/many-servers.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import { setServerState } from "#test/rental.ts";
import type { Customer } from "#test/service.ts";

/** With the seed of the others. */
const total = 61;

describe("a customer with many servers", () => {
  let service: ConsoleService;
  let browser: Browser;
  let customer: Customer;
  let ids: readonly string[];
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(noMailServer), launchBrowser()]);
    customer = await service.register();
    const { core } = service;
    const { id: accountId } = await core.db.read
      .selectFrom("accounts")
      .select("id")
      .where("username", "=", customer.username)
      .executeTakeFirstOrThrow();
    ids = await seedManyServers(core, accountId, total - 1, (index) => ({
      label: index < 3 ? `Shop ${index + 1}` : "",
      ...(index === 3 && { state: "GRACE" }),
      ...(index % 2 === 1 && { region_id: "sin" }),
    }));
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const rows = (page: Page) => page.getByRole("table", { name: "Servers" }).getByRole("row");
  /** Without the row of titles. */
  const waitForRows = (page: Page, count: number) =>
    page.waitForFunction(
      (expected) => document.querySelectorAll("tbody tr").length === expected,
      count,
    );

  test("a long list is polled by its counts, and read again when they change", async () => {
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    const requestsFor = (path: string) => requested.filter((one) => one === path).length;
    await page.clock.install();
    await page.goto("/servers");
    await waitForRows(page, 50);
    await page.getByRole("button", { name: "Grace period 1" }).waitFor();
    const counted = requestsFor("/api/v1/server-counts");
    const again = page.waitForResponse("**/api/v1/server-counts");
    await page.clock.runFor(30_000);
    await again;
    assert.equal(requestsFor("/api/v1/server-counts"), counted + 1);
    assert.equal(requestsFor("/api/v1/servers"), 1);
    const id = ids.at(-1) ?? "";
    await setServerState(service.core, { id }, "GRACE");
    const list = page.waitForResponse("**/api/v1/servers?*");
    await page.clock.runFor(30_000);
    await list;
    await page.getByRole("button", { name: "Grace period 2" }).waitFor();
    await setServerState(service.core, { id }, "ACTIVE");
    await leave();
  });

  test("finds servers by page, search, state and region, each with a URL of its own", async () => {
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const lists: string[] = [];
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === "/api/v1/servers") lists.push(search);
    });
    await page.goto("/servers");
    await waitForRows(page, 50);
    await page.getByRole("button", { name: `All ${total}` }).waitFor();
    await page.getByRole("link", { name: "Next page" }).click();
    await waitForRows(page, total - 50);
    assert.match(page.url(), /after=srv_/);
    await page.goBack();
    await waitForRows(page, 50);

    await page.getByRole("searchbox", { name: "Search" }).fill("198.51.0.7");
    await page.getByRole("searchbox", { name: "Search" }).press("Enter");
    await waitForRows(page, 1);
    await page.getByRole("link", { name: "web7.example.com" }).waitFor();
    // The field takes no more than the service accepts.
    await page.getByRole("searchbox", { name: "Search" }).selectText();
    await page.keyboard.insertText("x".repeat(200));
    await page.keyboard.press("Enter");
    await page.getByText("No servers match").waitFor();
    await page.goto("/servers?query=shop&sort=name");
    await waitForRows(page, 3);
    assert.match((await rows(page).nth(1).textContent()) ?? "", /Shop 1/);
    await page.getByRole("button", { name: "Singapore 30" }).click();
    await waitForRows(page, 1);
    await page.reload();
    await waitForRows(page, 1);
    await page.goto("/servers");
    await page.getByRole("button", { name: "Grace period 1" }).click();
    await page.getByRole("link", { name: "web4.example.com" }).waitFor();
    await page.getByRole("button", { name: "Suspended" }).waitFor({ state: "detached" });
    await page.getByRole("button", { name: "Terminated" }).click();
    await page.getByText("No terminated servers").waitFor();
    assert.ok(lists.length > 0 && lists.every((search) => search.includes("limit=51")));
    await leave();
  });

  test("switches renewal of a whole page with one confirmation", async () => {
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/servers?region=sin");
    await waitForRows(page, 30);
    await page.getByRole("checkbox", { name: "Select all on this page" }).check();
    await page.getByRole("button", { name: "Turn renewal off" }).click();
    const dialog = page.getByRole("dialog", { name: "Turn off renewal of 30 servers?" });
    await dialog.getByRole("button", { name: "Turn renewal off" }).click();
    await page.getByText("Renewal off: 30 servers").waitFor();
    await dialog.waitFor({ state: "detached" });
    const { servers } = (await customer.send("GET", "/api/v1/servers?regionId=sin")).json;
    const isOff = ({ autoRenew }: { readonly autoRenew: boolean }) => !autoRenew;
    assert.deepEqual([servers.length, servers.filter(isOff).length], [30, 30]);
    const others = (await customer.send("GET", "/api/v1/servers?regionId=fra")).json.servers;
    assert.equal(others.filter(isOff).length, 0);
    await leave();
  });

  test("a reboot of several whose answer is lost for one is retried once, on a phone", async () => {
    const viewport = { width: 390, height: 844 };
    const { page, leave } = await visit(browser, service.url, { as: customer, viewport });
    const keys = new Set<string | undefined>();
    await page.route(`**/servers/${ids[1]}/actions`, async (route) => {
      keys.add(route.request().headers()["idempotency-key"]);
      // The service records the request; only its answer is lost.
      await route.fetch();
      return route.abort();
    });
    await page.goto("/servers?query=shop");
    await waitForRows(page, 3);
    for (let index = 1; index <= 3; index += 1) {
      const box = await rows(page).nth(index).boundingBox();
      assert.ok(box !== null && box.height < 90, `two lines, not ${box?.height} px`);
      await page.getByRole("checkbox", { name: `Select Shop ${index}` }).check();
    }
    await page.getByRole("button", { name: "Reboot" }).click();
    const dialog = page.getByRole("dialog", { name: "Request a reboot of 3 servers?" });
    await dialog.getByRole("button", { name: "Request reboots" }).click();
    await dialog.getByText("2 of 3 servers done").waitFor();
    await dialog.getByRole("listitem").filter({ hasText: "The connection was lost" }).waitFor();
    await page.unroute(`**/servers/${ids[1]}/actions`);
    page.on("request", (request) => {
      if (request.method() === "POST") keys.add(request.headers()["idempotency-key"]);
    });
    await dialog.getByRole("button", { name: "Retry 1 server" }).click();
    await page.getByText("Reboot requested: 3 servers").waitFor();
    assert.equal(keys.size, 1, "the retry has the key of the first attempt");
    const recorded = await service.core.db.read
      .selectFrom("actions")
      .select("server_id")
      .orderBy("server_id")
      .execute();
    assert.deepEqual(
      recorded.map((action) => action.server_id),
      ids.slice(0, 3).toSorted(),
    );
    const overflow = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    assert.equal(overflow, 0);
    await leave();
  });
});
