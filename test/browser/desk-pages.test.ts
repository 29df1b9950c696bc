import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { deskRoutes, urlOf } from "#console/app/urls.ts";
import { accessibilityProblems } from "#test/accessibility.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { deadDnsFile } from "#test/dns-file.ts";
import { assertLoaded, waitUntilLoaded } from "#test/loaded-page.ts";
import { walkByKeyboard } from "#test/keyboard.ts";
import { historyDays, populateAccount } from "#test/populate-account.ts";

/**
 * A text that shows that a page has loaded, for every URL of the desk. A payout needs a chain and has its own test. The
 * delivery is a work item that the operator has claimed.
 */
const signs: Readonly<Record<Exclude<keyof typeof deskRoutes, "payout"> | "delivery", string>> = {
  overview: "Daily figures",
  signIn: "Sign in to the desk",
  work: "gpu-l · iad",
  workItem: "The customer has a quote to accept.",
  checklists: "Compare the whole destination address",
  withdrawals: "$120.50",
  payouts: "No payouts yet",
  messages: "Second disk",
  newMessage: "Need more details",
  thread: "Encrypted to the SSH key Workstation of the customer",
  savedReplies: "Hardware check planned",
  notices: "Power maintenance in Frankfurt",
  accounts: "ada",
  account: "Renews automatically",
  server: "Paid through",
  machines: "FRA-METAL-S-001",
  importMachines: "Choose file",
  machineLabels: "First free label on the sheet",
  machine: "Server ordered",
  subnets: "203.0.113.0/24",
  reverseDns: "The DNS server cannot be used",
  catalogue: "No unsaved changes",
  deposits: "Simulate a payment",
  settlement: "No deposits are waiting",
  reports: "Balances by age",
  audit: "withdrawal.request",
  operators: "Last sign-in",
  security: "Change password and sign out",
  secondFactor: "Show secret",
  delivery: "Network configuration (systemd-networkd)",
};

const appearances = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
] as const;

describe("every page of the desk", () => {
  let service: ConsoleService;
  let browser: Browser;
  let desk: DeskVisitor;
  before(async () => {
    const IRONLEASE_DNS = await deadDnsFile(temporaryFolder());
    [service, browser] = await Promise.all([
      startConsoleService({ IRONLEASE_DNS }, { startedDaysAgo: historyDays }),
      launchBrowser(),
    ]);
    await populateAccount(service, "ada");
    desk = await signInAtDesk(browser, service, "admin");
  });
  after(async () => {
    await desk.leave();
    await browser.close();
    await service.close();
  });

  let delivery: string | undefined;
  /** The desk claims a delivery, and works on it. Resolves to its page. */
  const claimDelivery = async (): Promise<string> => {
    const operator = await service.operator("support");
    const { work } = (await operator.send("GET", "/operator/v1/work?kind=PROVISION&state=OPEN"))
      .json;
    const path = `/work/${work[0].id}`;
    await desk.page.goto(path);
    await desk.page.getByRole("button", { name: "Claim" }).click();
    await desk.page.getByText(signs.delivery).waitFor();
    return path;
  };

  /** Fills in the id of a URL that needs one. */
  const pathOf = async (name: keyof typeof signs): Promise<string> => {
    const operator = await service.operator("support");
    const idOf = async (path: string, list: string) =>
      (await operator.send("GET", path)).json[list][0].id as string;
    if (name === "workItem") {
      return `/work/${await idOf("/operator/v1/work?state=WAITING", "work")}`;
    }
    if (name === "delivery") return (delivery ??= await claimDelivery());
    if (name === "thread") {
      const { threads } = (await operator.send("GET", "/operator/v1/threads")).json;
      const disk = threads.find(({ subject }: { subject: string }) => subject === "Second disk");
      return `/messages/${disk.id}`;
    }
    if (name === "newMessage") {
      return `/messages/new?accountId=${await idOf("/operator/v1/accounts", "accounts")}`;
    }
    if (name === "account") return `/accounts/${await idOf("/operator/v1/accounts", "accounts")}`;
    if (name === "server") {
      const { servers } = (await (await service.signIn("ada")).send("GET", "/api/v1/servers")).json;
      return `/servers/${servers.at(-1).id}`;
    }
    if (name === "machine") {
      return `/machines/${await idOf("/operator/v1/machines?state=ASSIGNED", "machines")}`;
    }
    if (name === "machineLabels") return "/machines/labels?query=FRA-METAL-S-00";
    // A few machines are enough: axe takes half a minute for a hundred rows.
    return name === "machines" ? "/machines?query=FRA-METAL-S-00" : deskRoutes[name];
  };

  test("a page whose id is unknown says what was not found", async () => {
    const { page } = desk;
    const whats = {
      account: "Account",
      server: "Server",
      machine: "Machine",
      workItem: "Work item",
      thread: "Message",
      payout: "Payout",
    } as const;
    for (const [name, what] of Object.entries(whats)) {
      await page.goto(urlOf(deskRoutes[name as keyof typeof whats], { id: "unknown" }));
      await page.getByText(`${what} not found`, { exact: true }).waitFor();
      assert.equal(await page.getByRole("alert").count(), 0, name);
    }
    assert.deepEqual(await accessibilityProblems(page, "an unknown payout"), []);
  });

  test("a dialog opens at its first field, and a question at the button that cancels", async () => {
    const { page } = desk;
    const focused = () => page.evaluate(() => document.activeElement?.textContent);
    await page.goto("/machines?query=FRA-METAL-S-00");
    await page.getByRole("button", { name: "Add machine" }).click();
    const field = page.getByRole("dialog").getByLabel("Asset tag");
    await field.waitFor();
    assert.ok(await field.evaluate((element) => element === document.activeElement));
    await page.goto("/notices");
    await page.getByRole("button", { name: "Withdraw" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Withdraw notice" }).waitFor();
    assert.equal(await focused(), "Cancel");
    await page.keyboard.press("Escape");
  });

  test("a page with placeholders is not loaded", async () => {
    const { page } = desk;
    const held = await holdData(page);
    await page.goto("/reports");
    await page.getByRole("heading", { level: 1 }).waitFor();
    await assert.rejects(assertLoaded(page), /reports still loads/);
    held.release();
    await waitUntilLoaded(page);
    await held.stop();
    assert.ok(await page.getByText(signs.reports).isVisible());
  });

  test("the history is in the reports, on the days of its charges", async () => {
    const finance = await service.operator("finance");
    const { revenueByDay } = (await finance.send("GET", "/operator/v1/overview")).json;
    const charged = revenueByDay.map(({ usd }: { usd: number }) => usd).filter(Boolean);
    assert.deepEqual(charged, [198, 11.9, 1549]);
  });

  test("a row of the reports has two lines on a phone, with the titles of its figures", async () => {
    const { page } = desk;
    await page.setViewportSize({ width: 360, height: 740 });
    await page.goto("/reports");
    const row = page.getByRole("row", { name: /^0 to 30 days/ });
    const { height = 0 } = (await row.boundingBox()) ?? {};
    assert.ok(height > 0 && height <= 64, `${height} px`);
    const held = row.getByRole("cell").last();
    assert.equal(
      await held.evaluate((cell) => getComputedStyle(cell, "::before").content),
      '"Held "',
    );
    await page.setViewportSize({ width: 1280, height: 900 });
    await page.getByRole("columnheader", { name: "Held" }).waitFor();
  });

  test("a row of the desk's lists is a card of two lines on a phone", async () => {
    const { page } = desk;
    await page.setViewportSize({ width: 390, height: 844 });
    // Details that are long wrap to more lines.
    const most = {
      accounts: 80,
      messages: 80,
      machines: 100,
      operators: 130,
      withdrawals: 190,
      audit: 240,
      account: 210,
      server: 130,
      subnets: 100,
      catalogue: 130,
      deposits: 190,
      settlement: 120,
      checklists: 210,
      machine: 90,
      importMachines: 80,
      savedReplies: 125,
      reverseDns: 110,
      notices: 200,
    };
    for (const [name, height] of Object.entries(most)) {
      await page.goto(await pathOf(name as keyof typeof signs));
      if (name === "importMachines") {
        await page
          .getByLabel("Or paste the text")
          .fill("assetTag,configId,regionId,rack,unit\nNEW-1,metal-s,fra,R07,12\n");
      }
      const rows = page.getByRole("table").locator("tbody").getByRole("row");
      await rows.first().waitFor();
      const heights = await rows.evaluateAll((found) => found.map((row) => row.clientHeight));
      assert.ok(Math.max(...heights) <= height, `${name}: ${heights.join(", ")} px`);
    }
    await page.setViewportSize({ width: 1280, height: 900 });
  });

  for (const name of Object.keys(signs) as (keyof typeof signs)[]) {
    test(`${name} is accessible by keyboard, in light and dark, and fits on a phone`, async () => {
      const visitor = name === "signIn" ? await visit(browser, service.operatorUrl) : desk;
      const { page } = visitor;
      await page.goto(await pathOf(name));
      await page.getByText(signs[name]).first().waitFor();
      assert.deepEqual(await walkByKeyboard(page), []);
      for (const { colorScheme, width } of appearances) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const where = `${name}, ${colorScheme}, ${width} px`;
        assert.deepEqual(await accessibilityProblems(page, where), []);
      }
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `${overflow} px too wide`);
      if (visitor !== desk) await visitor.leave();
    });

    if (name === "signIn") continue;
    test(`${name} does not move its heading when its data arrives`, async () => {
      const path = await pathOf(name);
      for (const width of [1280, 390]) {
        await desk.page.setViewportSize({ width, height: 900 });
        assert.deepEqual(await headingMove(desk.page, path, signs[name]), [0, 0], `${width} px`);
      }
    });
  }
});

interface HeldData {
  readonly release: () => void;
  /** Once no request is held any more. */
  readonly stop: () => Promise<void>;
}

/** Only the session is read, so that a page appears without its data. */
async function holdData(page: Page): Promise<HeldData> {
  const data = /\/operator\/v1\/(?!me$)/;
  const { promise: isReleased, resolve: release } = Promise.withResolvers<void>();
  await page.route(data, async (route) => {
    await isReleased;
    await route.continue();
  });
  return { release, stop: () => page.unroute(data) };
}

/** How far the heading moves between the empty page and the page with its data. */
async function headingMove(page: Page, path: string, sign: string): Promise<[number, number]> {
  const held = await holdData(page);
  await page.goto(path);
  const heading = page.getByRole("heading", { level: 1 });
  const place = () =>
    heading.evaluate((element) => {
      const { x, y } = element.getBoundingClientRect();
      // A reload scrolls to where the page was.
      return { x, y: y + scrollY };
    });
  await heading.waitFor();
  const empty = await place();
  held.release();
  await page.getByText(sign).first().waitFor();
  await page.waitForFunction(() => document.querySelector("[aria-label=Loading]") === null);
  const full = await place();
  await held.stop();
  return [full.x - empty.x, full.y - empty.y];
}
