import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { assertAccessible } from "#test/accessibility.ts";
import { launchBrowser } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { completeAnyway, signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";
import { testHardwareTimes } from "#test/hardware.ts";
import { startRedfishEmulator, type RedfishEmulator } from "#test/redfish-emulator.ts";
import { seedServer } from "#test/rental.ts";

describe("machine controllers at the desk", () => {
  let service: ConsoleService;
  let browser: Browser;
  let desk: DeskVisitor;
  let machine: RedfishEmulator;
  before(async () => {
    [service, browser, machine] = await Promise.all([
      startConsoleService(
        { IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8" },
        { hardwareTimes: testHardwareTimes },
      ),
      launchBrowser(),
      startRedfishEmulator(),
    ]);
    desk = await signInAtDesk(browser, service, "admin");
  });
  after(async () => {
    await desk.leave();
    await browser.close();
    await service.close();
    await machine.stop();
  });

  test("an admin sets a controller, runs a reboot, reads the evidence and completes the item", async () => {
    const { page } = desk;
    const customer = await service.register();
    const { read } = service.core.db;
    const { accountId } = await read
      .selectFrom("accounts")
      .select("id as accountId")
      .where("username", "=", customer.username)
      .executeTakeFirstOrThrow();
    const server = await seedServer(service.core, accountId);
    const { assetTag } = await read
      .selectFrom("machines")
      .select("asset_tag as assetTag")
      .where("id", "=", server.machineId)
      .executeTakeFirstOrThrow();
    await write(customer, "POST", `/api/v1/servers/${server.id}/actions`, { action: "reboot" });

    await page.goto(`/machines?query=${assetTag}`);
    await page.getByRole("button", { name: `Controller of ${assetTag}` }).click();
    const dialog = page.getByRole("dialog", { name: `Controller of ${assetTag}` });
    await dialog.getByLabel("Address").fill("https://192.0.2.7:443");
    await dialog.getByLabel("Username").fill(machine.username);
    await dialog.getByLabel("Password", { exact: true }).fill(machine.password);
    await dialog.getByLabel("Certificate SHA-256").fill(machine.certificateSha256);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("must be on a network in IRONLEASE_HARDWARE_NETWORKS").waitFor();
    await assertAccessible(page, "the controller dialog");
    await dialog.getByLabel("Address").fill(machine.url);
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.waitFor({ state: "detached" });
    await page.getByText(machine.url).waitFor();

    await page.goto("/work?kind=SERVER_ACTION");
    await page.getByRole("row", { name: new RegExp(customer.username) }).waitFor();
    await page.getByRole("button", { name: /^Claim/ }).click();
    await page.getByRole("heading", { name: "Claimed by you" }).waitFor();
    const runs = page.getByRole("list", { name: "Runs" });
    const latest = runs.locator(":scope > li").first();

    const held = Promise.withResolvers<undefined>();
    machine.behaviour = { fault: (line) => (line.includes("Reset") ? held.promise : undefined) };
    const run = page.getByRole("button", { name: "Run", exact: true });
    await run.click();
    await latest.getByText("Running").waitFor();
    assert.ok(await run.isDisabled());
    await assertAccessible(page, "a run that is running");
    held.resolve(undefined);
    await latest.getByText("Succeeded").waitFor();
    await latest.getByText("The machine was seen off and then on.").waitFor();
    await page.getByText(/^Power on, seen under a minute ago$/).waitFor();

    machine.behaviour = {
      fault: (line) => (line.includes("Reset") ? { kind: "drop", after: true } : undefined),
    };
    await run.click();
    await latest.getByText("Unknown", { exact: true }).waitFor();
    await latest.getByText(/look at the machine before you run anything else/).waitFor();
    machine.behaviour = { fault: () => ({ kind: "status" }) };
    await page.getByRole("button", { name: "Read power state" }).click();
    await latest.getByText("Failed", { exact: true }).waitFor();
    await assertAccessible(page, "runs that ended");

    machine.behaviour = {};
    await completeAnyway(page, "Mark as done");
    await page.getByText(/^Performed by /).waitFor();
    assert.equal(await run.count(), 0);
    await page.goto(`/machines?query=${assetTag}`);
    await page.getByText(/^Power o(n|ff), seen under a minute ago$/).waitFor();
    await assertAccessible(page, "a machine with a controller");

    await page.getByRole("button", { name: `Controller of ${assetTag}` }).click();
    await page.getByRole("button", { name: "Remove…" }).click();
    await assertAccessible(page, "the removal of a controller");
    await page.getByRole("button", { name: "Remove controller" }).click();
    await page.getByText("None", { exact: true }).waitFor();
  });
});
