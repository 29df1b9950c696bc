import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { gzipSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";

const maxBytes = 190_000;

describe("delivery of the console to a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  test("the first load is at most 190 kB of gzipped JavaScript, without charts and QR codes", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const scripts: Promise<{ name: string; bytes: number }>[] = [];
    page.on("response", (response) => {
      const name = new URL(response.url()).pathname;
      if (!name.endsWith(".js")) return;
      scripts.push(
        response.body().then((body) => ({ name, bytes: gzipSync(body, { level: 9 }).length })),
      );
    });
    await page.goto("/");
    await page.getByRole("heading", { name: "Your first server" }).waitFor();
    const loaded = await Promise.all(scripts);
    const total = loaded.reduce((sum, { bytes }) => sum + bytes, 0);
    console.log(`first load: ${(total / 1_000).toFixed(1)} kB in ${loaded.length} scripts`);
    assert.ok(total <= maxBytes, `${total} bytes`);
    assert.ok(loaded.length <= 16, "HTTP/1.1 loads six files at a time");
    assert.deepEqual(
      loaded.filter(({ name }) => /chart|qr/.test(name)),
      [],
    );
    await leave();
  });

  // Counts requests, because times mean nothing on a busy machine.
  test("a page sends at most four API requests, and none of them twice", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const requested: string[] = [];
    const scripts: string[] = [];
    page.on("request", (request) => {
      const { pathname } = new URL(request.url());
      if (pathname.startsWith("/api/")) requested.push(pathname);
      if (pathname.endsWith(".js")) scripts.push(pathname);
    });
    const html = await (await page.goto("/servers"))?.text();
    await page.getByText("No servers yet").waitFor();
    assert.deepEqual(
      scripts.filter((path) => !html?.includes(path)),
      [],
      "the HTML names all scripts, so that they load at once",
    );
    assert.ok(requested.length <= 4, requested.join(", "));
    assert.deepEqual([...new Set(requested)], requested);
    console.log(`usable after ${Math.round(await page.evaluate(() => performance.now()))} ms`);
    await leave();
  });

  test("an unchanged account is polled without its lists, which are read again after a change", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const requested: string[] = [];
    page.on("request", (request) => requested.push(new URL(request.url()).pathname));
    await page.clock.install();
    await page.goto("/billing");
    await page.getByText("No ledger entries yet").waitFor();
    requested.length = 0;
    const poll = async () => {
      const polled = page.waitForResponse("**/api/v1/account-changes");
      await page.clock.runFor(30_000);
      await polled;
    };
    await poll();
    assert.deepEqual(requested, ["/api/v1/account-changes"]);
    const operator = await service.operator("finance");
    const found = await operator.send("GET", `/operator/v1/accounts?query=${customer.username}`);
    const body = { usd: 12.5, reason: "Goodwill" };
    const headers = { "idempotency-key": "delivery-adjustment-1" };
    const path = `/operator/v1/accounts/${found.json.accounts[0].id}/adjustments`;
    assert.equal((await operator.send("POST", path, { body, headers })).status, 201);
    await poll();
    await page.getByText("Goodwill").waitFor();
    await page.getByRole("definition").filter({ hasText: "$12.50" }).waitFor();
    const frozen = { reason: "We are checking your last deposit." };
    await (
      await service.operator("admin")
    ).send("POST", `/operator/v1/accounts/${found.json.accounts[0].id}/freeze`, { body: frozen });
    await poll();
    await page.getByText(frozen.reason).waitFor();
    await leave();
  });

  test("hashed files are immutable and compressed, and the HTML is never cached", async () => {
    const html = await service.send("GET", "/servers/srv_anything");
    assert.equal(html.status, 200);
    assert.equal(html.headers["cache-control"], "no-store");
    assert.match(String(html.headers["content-security-policy"]), /form-action 'none'/);
    const [, script = ""] = /type="module"[^>]*src="([^"]+)"/.exec(html.text) ?? [];
    const headers = { "accept-encoding": "br" };
    const file = await service.send("GET", script, { headers });
    assert.equal(file.headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(file.headers["content-encoding"], "br");
    assert.equal(file.headers["content-type"], "text/javascript; charset=utf-8");
  });

  test("any other path is the API's 404", async () => {
    for (const path of ["/nope", "/servers/a/b", "/assets/nope.js", "/index.html", "/api/nope"]) {
      for (const accept of ["application/json", "*/*", "application/json, text/html"]) {
        const answer = await service.send("GET", path, { headers: { accept } });
        assert.equal(answer.status, 404, path);
        assert.equal(answer.json.error.code, "not_found");
      }
    }
    const page = await service.send("GET", "/api/nope", { headers: { accept: "text/html" } });
    assert.equal(page.json.error.code, "not_found");
    const post = await service.send("POST", "/servers", { body: {} });
    assert.equal(post.json.error.code, "method_not_allowed");
  });

  test("an unknown URL in a browser is a page with status 404", async () => {
    for (const url of [service.url, service.operatorUrl]) {
      const { page, leave } = await visit(browser, url);
      const answer = await page.goto("/servers/a/b");
      assert.equal(answer?.status(), 404);
      await page.getByRole("heading", { name: "Page not found" }).waitFor();
      await leave();
    }
  });

  test("the API reference fits a phone, in the console's fonts", async () => {
    for (const url of [service.url, service.operatorUrl]) {
      const { page, leave } = await visit(browser, url, { viewport: { width: 360, height: 740 } });
      await page.goto("/docs");
      const overflow = await page.evaluate(
        () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
      );
      assert.equal(overflow, 0);
      const fonts = await page.evaluate(async () => {
        const { fonts: used } = document;
        await used.ready;
        return [...used].filter(({ status }) => status === "loaded").map(({ family }) => family);
      });
      const names = new Set(fonts.map((family) => family.replaceAll('"', "")));
      assert.deepEqual(names, new Set(["Geist Variable", "Geist Mono Variable"]));
      await leave();
    }
  });

  test("a page that cannot start says so and offers a reload", async () => {
    const { page, leave } = await visit(browser, service.url);
    const isModule = /\/assets\/account-[^/]*\.js$/;
    await page.route(isModule, (route) => route.abort());
    await page.goto("/sign-in");
    await page.getByRole("heading", { name: "Ironlease could not start" }).waitFor();
    await page.unroute(isModule);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await leave();
  });

  test("a page whose code failed to load once opens without an error", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/security");
    await page.getByText("This session").waitFor();
    let requests = 0;
    await page.route(/\/assets\/webhooks-page-[^/]*\.js$/, (route) => {
      requests += 1;
      return requests === 1 ? route.abort("connectionreset") : route.continue();
    });
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    assert.equal(requests, 2);
    await leave();
  });

  test("charts are drawn in a browser whose language is no language tag", async () => {
    const customer = await service.register();
    const created = await write<{ address: string }>(
      customer,
      "POST",
      "/api/v1/deposit-addresses",
      {
        asset: "BTC",
      },
    );
    await service.pay(created.address, "0.01");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.addInitScript(() =>
      Object.defineProperty(Navigator.prototype, "language", { get: () => "en-US@posix" }),
    );
    await page.goto("/");
    await page.getByRole("img", { name: /^Balance over the last/ }).waitFor();
    await leave();
  });

  test("the balance chart names days at every width, over 30 and 90 days, each once", async () => {
    const customer = await service.register();
    const body = { asset: "BTC" };
    const created = await write<{ address: string }>(
      customer,
      "POST",
      "/api/v1/deposit-addresses",
      body,
    );
    await service.pay(created.address, "0.01");
    const { page, leave } = await visit(browser, service.url, { as: customer });
    // A canvas cannot be read, so the page keeps the texts of the last drawing.
    await page.addInitScript(() => {
      type Method = (this: CanvasRenderingContext2D, ...values: unknown[]) => void;
      const { prototype } = CanvasRenderingContext2D;
      const clearRect = Reflect.get(prototype, "clearRect") as Method;
      const fillText = Reflect.get(prototype, "fillText") as Method;
      let texts: string[] = [];
      Object.assign(prototype, {
        clearRect(this: CanvasRenderingContext2D, ...box: unknown[]) {
          texts = [];
          clearRect.apply(this, box);
        },
        fillText(this: CanvasRenderingContext2D, text: string, x: number, y: number) {
          texts.push(text);
          fillText.call(this, text, x, y);
          document.documentElement.dataset["drawn"] = texts.join("|");
        },
      });
    });
    for (const width of [360, 640, 1280]) {
      await page.setViewportSize({ width, height: 900 });
      await page.goto("/");
      for (const span of ["30 days", "90 days"]) {
        await page.getByRole("button", { name: span }).click();
        await page.getByRole("img", { name: `Balance over the last ${span}` }).waitFor();
        const drawn = await page.locator("html").getAttribute("data-drawn");
        const days = drawn?.split("|").filter((text) => /^\d+ [A-Z][a-z]{2}/.test(text)) ?? [];
        assert.ok(days.length >= 2, `${width} px, ${span}: ${drawn}`);
        assert.equal(new Set(days).size, days.length, drawn ?? "");
      }
    }
    await leave();
  });

  test("a part whose code fails to load says so and leaves the rest of the page usable", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    const isQrCode = /\/assets\/qr-code-[^/]*\.js$/;
    await page.route(isQrCode, (route) => route.abort("connectionreset"));
    await page.goto("/billing/deposit?asset=LTC");
    await page.getByRole("button", { name: "Get LTC address" }).click();
    await page.getByText("This part could not be loaded").waitFor();
    await page.getByLabel("Deposit address").waitFor();
    await page.unroute(isQrCode);
    await page.getByRole("button", { name: "Reload" }).click();
    await page.getByRole("img", { name: /QR/ }).waitFor();
    await leave();
  });

  test("an offline click on a page that is not loaded yet stays in the app, and a retry opens it", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/security");
    await page.getByText("This session").waitFor();
    await page.context().setOffline(true);
    await page.getByRole("link", { name: "Webhooks" }).click();
    await page.getByRole("heading", { name: "This page could not be loaded" }).waitFor();
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("button", { name: "Retry", disabled: false }).waitFor();
    await page.context().setOffline(false);
    await page.getByRole("button", { name: "Retry" }).click();
    await page.getByRole("heading", { name: "Webhooks" }).waitFor();
    await leave();
  });

  test("an offline page says so and keeps its data", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/security");
    await page.getByText("This session").waitFor();
    await page.context().setOffline(true);
    await page.getByText("You are offline").waitFor();
    assert.ok(await page.getByText("This session").isVisible());
    await page.context().setOffline(false);
    await page.getByText("You are offline").waitFor({ state: "detached" });
    await leave();
  });

  test("a failed read shows the error with a code to copy and a retry", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    let isBroken = true;
    await page.route("**/api/v1/network", (route) =>
      isBroken
        ? route.fulfill({
            status: 409,
            json: { error: { code: "conflict", message: "Not now.", requestId: "r-1" } },
          })
        : route.continue(),
    );
    await page.goto("/network");
    await page.getByRole("alert").getByText("Not now.").waitFor();
    await page.getByRole("button", { name: "Copy error code and request id" }).click();
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), "conflict r-1");
    isBroken = false;
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText("No addresses yet").waitFor();
    await leave();
  });

  test("a read that fails during an outage succeeds by itself afterwards", async () => {
    const customer = await service.register();
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.clock.install();
    const error = { code: "service_unavailable", message: "Not now.", requestId: "r-1" };
    const path = "**/api/v1/ssh-keys";
    await page.route(path, (route) => route.fulfill({ status: 503, json: { error } }));
    await page.goto("/keys");
    // The client itself retries a few times.
    const failure = page.getByText("The service is temporarily unavailable");
    while (!(await failure.isVisible())) await page.clock.runFor(1_000);
    await page.unroute(path);
    await page.clock.runFor(10_000);
    await page.getByText("No SSH keys").waitFor();
    await leave();
  });

  test("a frozen account sees the reason on every page and can still read", async () => {
    const customer = await service.register();
    const operator = await service.operator("admin");
    const found = await operator.send("GET", `/operator/v1/accounts?query=${customer.username}`);
    const [account] = found.json.accounts;
    const body = { reason: "We are checking your last deposit." };
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto("/billing/deposit?asset=LTC");
    await page.getByRole("button", { name: "Get LTC address" }).waitFor();
    await operator.send("POST", `/operator/v1/accounts/${account.id}/freeze`, { body });
    // A refused write shows the notice at once, without waiting for the next poll.
    await page.getByRole("button", { name: "Get LTC address" }).click();
    await page.getByText("Your account is frozen").waitFor();
    await page.getByText(body.reason).waitFor();
    await page.reload();
    await page.getByText(body.reason).waitFor();
    await page.getByRole("link", { name: "Servers", exact: true }).click();
    await page.getByText("No servers yet").waitFor();
    await page.getByRole("link", { name: "write to the operators" }).click();
    await page.getByRole("heading", { name: "New message" }).waitFor();
    await page.goBack();
    await page.getByText("No servers yet").waitFor();
    await operator.send("POST", `/operator/v1/accounts/${account.id}/unfreeze`, { body });
    await page.reload();
    await page.getByText("No servers yet").waitFor();
    assert.equal(await page.getByText("Your account is frozen").count(), 0);
    await leave();
  });

  test("the chosen theme applies before the first paint of the next visit", async () => {
    const { page, leave } = await visit(browser, service.url);
    await page.goto("/sign-in");
    await page.getByRole("radio", { name: "Dark" }).check({ force: true });
    const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const dark = await ground();
    await page.reload({ waitUntil: "domcontentloaded" });
    assert.equal(await ground(), dark);
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    await leave();
  });
});
