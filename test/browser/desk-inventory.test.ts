import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import type { Browser } from "playwright-core";
import { launchBrowser } from "#test/browser.ts";
import { startConsoleService, type ConsoleService } from "#test/console-service.ts";
import { signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";

describe("machines and the catalogue at the desk", () => {
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
    await service.close();
  });

  test("an import with an error names the line and adds nothing, and a corrected one adds all", async () => {
    const { page } = desk;
    await page.goto("/machines/import");
    const text = page.getByLabel("Or paste the text");
    await text.fill("assetTag,configId,regionId\nNEW-1,metal-s,fra\nNEW-2,metal-z,fra\n");
    await page.getByRole("button", { name: "Import 2 machines" }).click();
    await page.getByText(/^line 3: configId /).waitFor();
    await text.fill("assetTag,configId,regionId\nNEW-1,metal-s,fra\nNEW-2,metal-m,fra\n");
    await page.getByRole("button", { name: "Import 2 machines" }).click();
    await page.getByText("2 machines added").waitFor();

    await page.goto("/machines?query=NEW-");
    await page.getByRole("button", { name: "Edit NEW-2" }).click();
    await page.getByRole("dialog").getByLabel("State").selectOption("RETIRED");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /NEW-2 Retired/ }).waitFor();
  });

  test("an import shows how many controllers it sets and skips, and names their columns", async () => {
    const { page } = desk;
    await page.goto("/machines/import");
    const columns = "controllerDriver,controllerAddress,controllerUsername,controllerPassword";
    await page
      .getByLabel("Or paste the text")
      .fill(
        `assetTag,configId,regionId,${columns}\nBMC-1,metal-s,fra,ipmi,192.0.2.7:623,u,secret\nBMC-2,metal-s,fra,ipmi,192.0.2.8:623,u,\n`,
      );
    await page.getByText("Controllers: 1 will be set, 1 skipped for lack of a password.").waitFor();
    await page.getByRole("button", { name: "Import 2 machines" }).click();
    await page.getByText(/^line 2: controllerAddress cannot be used/).waitFor();
  });

  test("a machine's page edits its record, keeps it out of sale, and shows who did so", async () => {
    const { page } = desk;
    await page.goto("/machines?query=NEW-1");
    await page.getByRole("link", { name: "NEW-1" }).click();
    await page.getByText("No customer has this machine.").waitFor();
    await page.getByRole("button", { name: "Edit" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("Unit").fill("12");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText("Requires a rack.").waitFor();
    await dialog.getByLabel("Rack").fill("R07");
    await dialog.getByLabel("MAC addresses").fill("3CECEF01A207 3c-ec-ef-01-a2-08");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByText("3c:ec:ef:01:a2:08", { exact: true }).waitFor();

    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Keep out of sale" }).click();
    await dialog.getByLabel("Reason").fill("Fan 3 fails");
    await dialog.getByRole("button", { name: "Keep out of sale" }).click();
    await page.getByText("Kept out of sale", { exact: true }).waitFor();
    await page.getByRole("row", { name: /machine\.keep_out admin.* reason Fan 3 fails/ }).waitFor();
    await page.getByRole("button", { name: "Actions" }).click();
    await page.getByRole("menuitem", { name: "Return to sale" }).click();
    await page.getByRole("status").getByText("NEW-1 returned to sale").waitFor();
    await page.getByRole("row", { name: /machine\.return_to_sale/ }).waitFor();
  });

  test("labels print 24 to a sheet, with codes of the machines' pages and without the app", async () => {
    const { page } = desk;
    await page.goto("/machines/labels?query=NEW-1");
    await page.getByText("1 label", { exact: true }).waitFor();
    await page.getByLabel("First free label on the sheet").fill("24");
    await page.emulateMedia({ media: "print" });
    assert.equal(await page.getByRole("heading").isVisible(), false);
    const label = page.locator(".label").nth(23);
    assert.match(await label.innerText(), /NEW-1\s+fra · R07, U12/);
    const { x, y, width, height } = (await label.boundingBox())!;
    const mm = (pixels: number) => Math.round((pixels / 96) * 254) / 10;
    assert.deepEqual([x, y, width, height].map(mm), [140, 259.5, 70, 37]);
    const pdf = (await page.pdf({ preferCSSPageSize: true })).toString("latin1");
    assert.equal(pdf.match(/\/Type\s*\/Page\b/g)?.length, 1);
    await page.emulateMedia({ media: "screen" });
  });

  test("an export contains the records", async () => {
    const { page } = desk;
    await page.goto("/machines");
    await page.getByRole("button", { name: "Export" }).click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save file" }).click();
    const text = readFileSync(await (await saved).path(), "utf8");
    assert.match(text, /^assetTag,configId,regionId,state,rack,unit/);
    assert.match(text, /\r\nNEW-1,metal-s,fra,FREE,R07,12,,3c:ec:ef:01:a2:07 3c:ec:ef:01:a2:08,/);
    await page.getByRole("dialog").waitFor({ state: "detached" });
  });

  test("a VLAN that is no number is refused instead of removed", async () => {
    const { page } = desk;
    await page.goto("/subnets");
    await page.getByRole("button", { name: "Edit 203.0.113.0/24" }).click();
    const dialog = page.getByRole("dialog");
    await dialog.getByLabel("VLAN").fill("12a");
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(/whole number from 1 to 4094/).waitFor();
    await dialog.getByLabel("VLAN").fill("120");
    await dialog.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row", { name: /^203\.0\.113\.0\/24 .* VLAN 120/ }).waitFor();
  });

  test("a catalogue that another operator saved is not overwritten, and no text is lost", async () => {
    const { page } = desk;
    await page.goto("/catalogue?tab=json");
    const editor = page.getByLabel("Document");
    const text = await editor.inputValue();
    await editor.fill(text.replace('"Frankfurt"', '"Frankfurt am Main"'));
    const changes = page.getByRole("list", { name: "Changes" });
    await changes.getByText("regions › fra › name").waitFor();

    const other = await service.operator("admin");
    const body = JSON.parse(text.replace('"Amsterdam"', '"Amsterdam West"'));
    assert.equal((await other.send("PUT", "/operator/v1/catalogue", { body })).status, 200);
    const save = async () => {
      await page.getByRole("button", { name: "Review and save" }).click();
      await page.getByRole("button", { name: "Save catalogue" }).click();
    };
    await save();
    await page.getByText("This changed while you were working").waitFor();
    await page.getByRole("button", { name: "Keep editing" }).click();
    await page.getByText("Another operator saved the catalogue").waitFor();
    assert.match(await editor.inputValue(), /Frankfurt am Main/);

    await changes.getByText("regions › ams › name").waitFor();
    await page.getByRole("button", { name: "Keep my version" }).click();
    await editor.fill((await editor.inputValue()).replace('"Amsterdam"', '"Amsterdam West"'));
    await save();
    await page.getByText("No unsaved changes").waitFor();
    const { regions } = (await other.send("GET", "/operator/v1/catalogue")).json;
    const names = regions.map(({ name }: { name: string }) => name);
    assert.deepEqual(names.slice(0, 2), ["Frankfurt am Main", "Amsterdam West"]);
  });

  test("regions, configurations, offers and discounts change in forms, with errors at their fields", async () => {
    const { page } = desk;
    const dialog = page.getByRole("dialog");
    const openTab = (name: string) => page.getByRole("tab", { name, exact: true }).click();
    const review = async () => {
      await page.getByRole("button", { name: "Review and save" }).click();
      await dialog.getByRole("button", { name: "Save catalogue" }).click();
    };
    await page.goto("/catalogue?tab=regions");
    await page.getByRole("button", { name: "Add region" }).click();
    await dialog.getByLabel("Name").fill("Helsinki");
    await dialog.getByLabel("Id").fill("fra");
    await dialog.getByRole("button", { name: "Add region" }).click();
    await dialog.getByText("Already used.").waitFor();
    await dialog.getByText("Required.").waitFor();
    await dialog.getByLabel("Id").fill("hel");
    await dialog.getByLabel("Country").fill("F".repeat(201));
    await dialog.getByRole("button", { name: "Add region" }).click();
    await openTab("Configurations");
    await page.getByRole("button", { name: "Edit metal-s" }).click();
    await dialog.getByLabel("Memory (GB)").fill("12.5");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await dialog.getByText("Must be a whole number.").waitFor();
    await dialog.getByLabel("Memory (GB)").fill("48");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await openTab("Discounts");
    await page.getByRole("button", { name: "Add discount" }).click();
    await dialog.getByLabel("Servers from").fill("15");
    await dialog.getByLabel("Discount (%)").fill("12.5");
    await dialog.getByRole("button", { name: "Add discount" }).click();
    await openTab("Prices");
    await page.getByRole("button", { name: "Add offer" }).click();
    await dialog.getByLabel("Configuration").selectOption("metal-s");
    await dialog.getByLabel("Region").selectOption("hel");
    await dialog.getByLabel("Weekly").fill("20");
    await dialog.getByLabel("Monthly").fill("65.50");
    await dialog.getByRole("button", { name: "Add offer" }).click();
    await page.getByText("4 unsaved changes").waitFor();

    await review();
    await dialog.getByRole("button", { name: "Regions › hel › Country" }).click();
    const country = dialog.getByLabel("Country");
    await dialog.getByText("Must be 1 to 200 characters.").waitFor();
    await page.waitForFunction(() => document.activeElement?.getAttribute("name") === "country");
    await dialog.getByRole("button", { name: "Cancel" }).click();
    await page.getByRole("row", { name: /Helsinki 1 problem/ }).waitFor();
    await page.getByRole("button", { name: "Edit hel" }).click();
    await country.fill("FI");
    await dialog.getByRole("button", { name: "Apply" }).click();
    await review();
    await page.getByText("No unsaved changes").waitFor();
    const operator = await service.operator("support");
    const saved = (await operator.send("GET", "/operator/v1/catalogue")).json;
    assert.deepEqual(saved.regions.at(-1), { id: "hel", name: "Helsinki", country: "FI" });
    assert.deepEqual(saved.discounts.at(-1), { minQuantity: 15, percent: 12.5 });
    const metalS = saved.configurations.find(({ id }: { id: string }) => id === "metal-s");
    assert.equal(metalS.memoryGb, 48);
    const offer = { regionId: "hel", weeklyUsd: 20, monthlyUsd: 65.5 };
    assert.deepEqual(metalS.offers.at(-1), offer);
  });

  test("prices change in a grid, an offer is hidden, and an earlier version is restored", async () => {
    const { page } = desk;
    const review = () => page.getByRole("button", { name: "Review and save" }).click();
    const openTab = (name: string) => page.getByRole("tab", { name, exact: true }).click();
    const save = async () => {
      await page.getByRole("button", { name: "Save catalogue" }).click();
      await page.getByText("No unsaved changes").waitFor();
    };
    const row = page.getByRole("row", { name: /^Metal S metal-s fra/ });
    await page.goto("/catalogue");
    const weekly = page.getByRole("textbox", { name: "Weekly USD of metal-s in fra" });
    await weekly.fill("21.50");
    await weekly.press("ArrowDown");
    assert.equal(await weekly.inputValue(), "21.50");
    await page.getByText("1 unsaved change", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Actions for metal-s in fra" }).click();
    await page.getByRole("menuitem", { name: "Hide offer" }).click();
    await row.getByText("Hidden").waitFor();
    await page.getByRole("button", { name: "Actions for metal-s in fra" }).click();
    await page.getByRole("menuitem", { name: "Schedule prices" }).click();
    const schedule = page.getByRole("dialog", { name: /^Scheduled prices/ });
    await schedule.getByRole("button", { name: "Add price" }).click();
    await schedule.getByLabel("From (UTC)").fill("2099-01-31T06:30");
    await schedule.getByLabel("Weekly").fill("25");
    await schedule.getByLabel("Monthly").fill("79.90");
    await schedule.getByRole("button", { name: "Set prices" }).click();
    await row.getByText("1 scheduled").waitFor();
    await review();
    const changes = page.getByRole("list", { name: "Changes" });
    await changes.getByText("configurations › metal-s › offers › fra › weeklyUsd").waitFor();
    await save();
    await openTab("Versions");
    await page
      .getByRole("button", { name: /^View changes of version/ })
      .first()
      .click();
    const version = page.getByRole("dialog", { name: /^Version/ });
    await version.getByText("configurations › metal-s › offers › fra › hidden").waitFor();
    await version.getByRole("button", { name: "Close" }).last().click();
    await page
      .getByRole("button", { name: /^View changes of version/ })
      .nth(1)
      .click();
    await version.getByRole("button", { name: "Restore this version" }).click();
    await openTab("Prices");
    await row.getByText("On sale").waitFor();
    await review();
    await save();

    await openTab("JSON");
    const editor = page.getByLabel("Document");
    const text = await editor.inputValue();
    await editor.fill(text.replace(/"weeklyUsd": [\d.]+/, '"weeklyUsd": "x"'));
    await page.getByText("The JSON does not describe a catalogue").waitFor();
    await openTab("Prices");
    assert.equal(await weekly.getAttribute("readonly"), "");
    await page.getByRole("button", { name: "Discard" }).click();
    await page.getByText("No unsaved changes").waitFor();
  });

  test("a validation error names its line, and a click goes there", async () => {
    const { page } = desk;
    await page.goto("/catalogue?tab=json");
    const editor = page.getByLabel("Document");
    const text = await editor.inputValue();
    await editor.fill(text.replace('"country": "DE"', '"country": ""'));
    await page.getByRole("button", { name: "Review and save" }).click();
    await page.getByRole("button", { name: "Save catalogue" }).click();
    await page.getByRole("button", { name: "Line 6" }).click();
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await page.waitForFunction(() => document.activeElement?.tagName === "TEXTAREA");
    await page.getByRole("button", { name: "Discard", exact: true }).click();
  });
});
