import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { deskRoutes } from "../../packages/console/src/app/urls.ts";
import { accessibilityProblems } from "#test/accessibility.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { sitDown, type DeskVisitor } from "#test/desk-visitor.ts";
import { walkByKeyboard } from "#test/keyboard.ts";
import { livedInAccount } from "#test/lived-in-account.ts";

/** What each page shows once it has everything; every address of the desk is in it. */
const signs: Readonly<Record<keyof typeof deskRoutes, string>> = {
  front: "Numbers by day",
  signIn: "Sign in to the desk",
  work: "gpu-l · iad",
  workItem: "What is asked for",
  withdrawals: "$120.50",
  accounts: "ada",
  account: "Renews by itself",
  machines: "FRA-METAL-S-001",
  importMachines: "Choose a file",
  subnets: "203.0.113.0/24",
  catalogue: "What would change",
  deposits: "Pay a simulated address",
  audit: "withdrawal.request",
  security: "Change password and sign out",
  secondFactor: "Show the secret",
};

const looks = [
  { colorScheme: "light", width: 1280 },
  { colorScheme: "dark", width: 360 },
] as const;

describe("every page of the desk", () => {
  let service: ConsoleService;
  let browser: Browser;
  let desk: DeskVisitor;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
    await livedInAccount(service, "ada");
    desk = await sitDown(browser, service, "admin");
  });
  after(async () => {
    await desk.leave();
    await browser.close();
    await service.close();
  });

  /** Addresses with an identifier in them need one. */
  const addressOf = async (name: keyof typeof deskRoutes): Promise<string> => {
    const operator = await service.operator("support");
    const idOf = async (path: string, list: string) =>
      (await operator.send("GET", path)).json[list][0].id as string;
    if (name === "workItem") return `/work/${await idOf("/operator/v1/work", "work")}`;
    if (name === "account") return `/accounts/${await idOf("/operator/v1/accounts", "accounts")}`;
    // A few machines stand for all: a hundred rows take the checker half a minute.
    return name === "machines" ? "/machines?query=FRA-METAL-S-00" : deskRoutes[name];
  };

  for (const name of Object.keys(signs) as (keyof typeof deskRoutes)[]) {
    test(`${name} is accessible by keyboard, in light, in dark and on a phone, where nothing sticks out`, async () => {
      const visitor = name === "signIn" ? await visit(browser, service.operatorUrl) : desk;
      const { page } = visitor;
      await page.goto(await addressOf(name));
      await page.getByText(signs[name]).first().waitFor();
      assert.deepEqual(await walkByKeyboard(page), []);
      for (const { colorScheme, width } of looks) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        const where = `${name}, ${colorScheme}, ${width} px`;
        assert.deepEqual(await accessibilityProblems(page, where), []);
      }
      const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(beyond <= 0, `${beyond} px stick out`);
      if (visitor !== desk) await visitor.leave();
    });
  }
});
