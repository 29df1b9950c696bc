import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page, Request } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { password, type Customer } from "#test/service.ts";

describe("deposits and drafts, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function addressOf(customer: Customer): Promise<{ address: string; path: string }> {
    await write(customer, "POST", "/api/v1/deposit-addresses", { asset: "BTC" });
    const { depositAddresses } = (await customer.send("GET", "/api/v1/deposit-addresses")).json;
    const [{ address, id }] = depositAddresses;
    return { address, path: `/billing/deposit/${id}` };
  }

  test("a deposit is never shown as credited before the balance shows it", async () => {
    const customer = await service.register();
    const made = await addressOf(customer);
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto(made.path);
    await page.getByText("Waiting for your payment").waitFor();
    await service.pay(made.address, "0.02", { confirmations: 1, transactionId: "together" });
    await page.clock.runFor(6_000);
    await page.getByText("1 of 2 confirmations").waitFor();
    assert.equal(await page.locator("aside .text-quiet.figures").textContent(), "$0.00");
    await noteBalancesWhenCredited(page);
    await service.pay(made.address, "0.02", { confirmations: 2, transactionId: "together" });
    await page.clock.runFor(6_000);
    await page.getByText(/^Credited \$/).waitFor();
    assert.equal(
      await page.evaluate(() => document.body.dataset["whenCredited"]),
      "$1,885.00 $1,885.00",
    );
    await page.getByText(/^0\.02 BTC, 1 BTC = \$94,250\.00, \d\d:\d\d, simulated$/).waitFor();
    await leave();
  });

  test("a deposit credited while another page was open is in every balance when it is first shown", async () => {
    const customer = await service.register();
    const made = await addressOf(customer);
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto("/servers");
    await page.getByRole("heading", { name: "Servers", level: 1 }).waitFor();
    await page.locator("aside").getByText("$0.00").waitFor();
    await service.pay(made.address, "0.02");
    await noteBalancesWhenCredited(page);
    await page.evaluate((path) => {
      history.pushState(null, "", path);
    }, made.path);
    await page.getByText(/^Credited \$/).waitFor();
    assert.equal(
      await page.evaluate(() => document.body.dataset["whenCredited"]),
      "$1,885.00 $1,885.00",
    );
    await leave();
  });

  test("a balance that was requested before the credit does not replace the new one", async () => {
    const customer = await service.register();
    const made = await addressOf(customer);
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    await page.goto(made.path);
    await page.getByText("Waiting for your payment").waitFor();
    await page.locator("aside").getByText("$0.00").waitFor();
    // The next poll of the balance reads it before the credit and answers after it.
    const held = Promise.withResolvers<void>();
    const poll = holdAnswer(page, "/api/v1/account-changes", held.promise);
    await page.clock.runFor(31_000);
    await poll.asked;
    await service.pay(made.address, "0.02");
    await page.clock.runFor(6_000);
    await page.getByText(/^Credited \$/).waitFor();
    held.resolve();
    await poll.ended;
    await page.clock.runFor(1_000);
    assert.deepEqual(await balancesOf(page), ["$1,885.00", "$1,885.00"]);
    await leave();
  });

  test("a deposit goes on after a reload and on another device, at the same URL", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/deposit");
    await page.getByLabel("Amount in USD").fill("100");
    await page.getByRole("radio", { name: /LTC/ }).check();
    await page.getByRole("button", { name: "Get LTC address" }).click();
    const address = (await page.getByLabel("Deposit address").textContent()) ?? "";
    const url = page.url();
    assert.match(url, /\/billing\/deposit\/dpa_\w+\?usd=100$/);
    const payment = { transactionId: "in-the-middle" };
    await service.pay(address, "0.9765625", { ...payment, confirmations: 2 });
    await page.reload();
    await page.getByText("2 of 6 confirmations").waitFor();
    assert.equal(await page.getByLabel("Deposit address").textContent(), address);
    assert.equal(await page.getByLabel("Amount in USD").inputValue(), "100");

    const phone = await visit(browser, service.url, {
      as: await service.signIn(customer.username),
      viewport: { width: 390, height: 844 },
    });
    await phone.page.goto(url);
    await phone.page.getByText("2 of 6 confirmations").waitFor();
    await service.pay(address, "0.9765625", { ...payment, confirmations: 6 });
    for (const tab of [page, phone.page]) {
      await tab.getByText("Credited $100.00").waitFor();
      await tab.getByText("New balance").waitFor();
    }
    await phone.page.goto("/billing/deposit?asset=LTC");
    await phone.page.getByRole("link", { name: "Continue with LTC" }).click();
    await phone.page.getByText("Credited $100.00").waitFor();
    assert.equal(await phone.page.getByLabel("Deposit address").textContent(), address);
    await phone.page.goto("/billing/deposit/dpa_01h455vb4pex5vsknk084sn02q");
    await phone.page.getByText("Address not found").waitFor();
    await phone.leave();
    await leave();
  });

  test("an address that cannot be made right now is asked for again until it can be", async () => {
    const { page, leave } = await visit(browser, service.url, { as: await service.register() });
    await page.clock.install();
    await page.goto("/billing/deposit?asset=LTC");
    const make = page.getByRole("button", { name: "Get LTC address" });
    await make.waitFor();
    await page.clock.pauseAt(Date.now() + 60_000);
    const error = { code: "settlement_unavailable", message: "Not scanned.", requestId: "r-1" };
    const answer = { status: 503, json: { error } };
    await page.route("**/api/v1/deposit-addresses", (route) => route.fulfill(answer), { times: 1 });
    await make.click();
    await page.getByText("Could not create an address").waitFor();
    await page.getByText("Trying again…").waitFor();
    await page.clock.resume();
    assert.match((await page.getByLabel("Deposit address").textContent()) ?? "", /^sim-ltc-/);
    await leave();
  });

  test("an address whose list cannot be read is not reported as missing", async () => {
    const { page, leave } = await visit(browser, service.url, { as: await service.register() });
    await page.goto("/billing/deposit?asset=LTC");
    const make = page.getByRole("button", { name: "Get LTC address" });
    await make.waitFor();
    const refusal = { error: { code: "not_found", message: "Not now.", requestId: "r-1" } };
    const path = "**/api/v1/deposit-addresses";
    await page.route(path, (route) =>
      route.request().method() === "GET"
        ? route.fulfill({ status: 404, json: refusal })
        : route.continue(),
    );
    await make.click();
    await page.getByText("Not now.").first().waitFor();
    await page.unroute(path);
    await page.getByRole("button", { name: "Try again" }).first().click();
    await page.getByRole("link", { name: "Continue with LTC" }).waitFor();
    await leave();
  });

  test("no tab storage is read before the page knows its user", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.addInitScript(() => {
      const names: string[] = [];
      Object.assign(globalThis, { lookedUp: names });
      // oxlint-disable-next-line typescript/unbound-method -- called with its storage below
      const { getItem } = Storage.prototype;
      Storage.prototype.getItem = function (name) {
        if (this === sessionStorage) names.push(name);
        return getItem.call(this, name);
      };
    });
    for (const path of ["/billing/deposit?asset=BTC", "/billing/withdraw", "/order"]) {
      await page.goto(path);
      await page.getByRole("heading", { level: 1 }).waitFor();
      await page.waitForFunction(() => document.querySelector("[aria-label=Loading]") === null);
      const names = await page.evaluate(
        () => (globalThis as unknown as { lookedUp: readonly string[] }).lookedUp,
      );
      const own = names.filter((name) => name.includes("/"));
      assert.ok(own.length > 0, path);
      assert.deepEqual(
        own.filter((name) => name.split("/")[1] !== customer.username),
        [],
        path,
      );
    }
    await leave();
  });

  test("a draft is shown only to the account that wrote it, and is still there when it returns", async () => {
    const first = await service.register();
    const second = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: first });
    await page.clock.install();
    await page.goto("/order");
    await page.getByRole("radio", { name: "Paste a public key" }).check();
    const draft = page.getByRole("textbox", { name: "Public key" });
    await draft.fill("ssh-ed25519 of the first");
    const tab = await page.context().newPage();
    const signIn = async (username: string) => {
      await tab.goto("/sign-in");
      await tab.getByLabel("Username").fill(username);
      await tab.getByLabel("Password", { exact: true }).fill(password);
      await tab.getByRole("button", { name: "Sign in" }).click();
      await tab.getByRole("heading", { name: "Overview" }).waitFor();
      await page.clock.runFor(31_000);
      await page.getByText(username, { exact: true }).waitFor();
    };
    await signIn(second.username);
    assert.equal(await draft.inputValue(), "");
    await signIn(first.username);
    assert.equal(await draft.inputValue(), "ssh-ed25519 of the first");
    await leave();
  });
});

/** Sends the next request for the path at once, but holds back its answer. */
function holdAnswer(page: Page, path: string, until: Promise<void>) {
  const asked = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  void page.route(
    path,
    async (route) => {
      const end = (request: Request) => {
        if (request === route.request()) ended.resolve();
      };
      page.on("requestfinished", end);
      page.on("requestfailed", end);
      const response = await route.fetch();
      asked.resolve();
      await until;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { asked: asked.promise, ended: ended.promise };
}

/** The balance on the page and the one next to the username. */
async function balancesOf(page: Page): Promise<readonly string[]> {
  return page.evaluate(() =>
    ["main [aria-live=polite] dd", "aside .text-quiet.figures"].map(
      (place) => document.querySelector(place)?.textContent ?? "",
    ),
  );
}

async function noteBalancesWhenCredited(page: Page): Promise<void> {
  await page.evaluate(() => {
    const watcher = new MutationObserver(() => {
      if (!/Credited \$/.test(document.body.textContent)) return;
      watcher.disconnect();
      document.body.dataset["whenCredited"] = [
        "main [aria-live=polite] dd",
        "aside .text-quiet.figures",
      ]
        .map((place) => document.querySelector(place)?.textContent ?? "")
        .join(" ");
    });
    watcher.observe(document.body, { subtree: true, childList: true, characterData: true });
  });
}
