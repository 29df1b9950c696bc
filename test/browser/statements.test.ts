import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, describe, test } from "node:test";
import { canonicalJson, type Json, type Statement } from "@ironlease/statement";
import { sql } from "kysely";
import type { Browser, Page } from "playwright-core";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import { ok } from "#server/kernel/result.ts";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import type { Customer } from "#test/service.ts";

const statements = "/billing/statements";

describe("statements, in a browser", () => {
  let service: ConsoleService;
  let browser: Browser;
  let customer: Customer;
  before(async () => {
    [service, browser] = await Promise.all([startConsoleService(), launchBrowser()]);
    customer = await service.register();
    const { address } = await write<{ address: string }>(
      customer,
      "POST",
      "/api/v1/deposit-addresses",
      { asset: "BTC" },
    );
    await service.pay(address, "0.01", { transactionId: "a".repeat(64) });
    await service.pay(address, "0.02", { transactionId: "b".repeat(64) });
    await service.core.db.write(async (tx) => {
      for (const trigger of ["journal_no_update", "journal_hash_once"]) {
        await sql.raw(`drop trigger ${trigger}`).execute(tx);
      }
      return ok();
    });
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  async function save(page: Page, format: "JSON" | "CSV"): Promise<string> {
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: `Download ${format}` }).click();
    const file = await saved;
    assert.match(
      file.suggestedFilename(),
      /^ironlease-statement-\d{4}-\d\d-01-to-.*\.(?:json|csv)$/,
    );
    return readFileSync(await file.path(), "utf8");
  }

  const choose = (page: Page, text: string) =>
    page
      .getByLabel("Choose file")
      .setInputFiles({ name: "old.json", mimeType: "application/json", buffer: Buffer.from(text) });

  /** Rewrites the last entry as a person with access to the database could. */
  const rewrite = (id: string, description: string, hash: string) =>
    service.core.db.write(async (tx) => {
      await sql`update journal set description = ${description}, hash = ${hash} where id = ${id}`.execute(
        tx,
      );
      return ok();
    });

  test("a statement is saved and verified, and finds changed files and a rewritten history", async () => {
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto(statements);
    const [json, csv] = [await save(page, "JSON"), await save(page, "CSV")];
    const { entries } = JSON.parse(json) as Statement;
    const [, last] = entries;
    assert.ok(last !== undefined);

    const verify = page.getByRole("button", { name: "Verify in this browser" });
    await verify.click();
    await page.getByText("Every hash, every balance and the signature are correct.").waitFor();
    await page.getByText("This browser now remembers your latest entry").waitFor();
    assert.equal(await page.locator("dd").getByText("2", { exact: true }).count(), 1);
    await verify.click();
    await page.getByText("No entry from before your last check").waitFor();

    // A drop, as a browser reports it.
    const dropped = await page.evaluateHandle((text) => {
      const transfer = new DataTransfer();
      transfer.items.add(new File([text], "old.csv", { type: "text/csv" }));
      return transfer;
    }, csv);
    await page
      .getByText("or drop it here")
      .dispatchEvent("drop", { dataTransfer: dropped, bubbles: true });
    await page.getByText("nothing up to entry number 2 was changed").waitFor();

    await choose(page, json.replace("DEPOSIT", "DEPOSIU"));
    await page.getByText("This file does not verify").waitFor();
    await page.getByText(`The entry ${entries[0]?.id} does not match its hash`).waitFor();

    await rewrite(last.id, "Deposit of nothing", last.hash);
    await verify.click();
    await page.getByText("Your ledger does not verify").waitFor();
    await page.getByText(`The entry ${last.id} does not match its hash`).waitFor();
    await page.getByText("Deposit of nothing").waitFor();

    // With a right hash and signature for the changed entry, only what the customer kept shows it.
    const { hash: _, ...hashed } = { ...last, description: "Deposit of nothing" };
    const hash = createHash("sha256")
      .update(canonicalJson(hashed satisfies Json))
      .digest("hex");
    await rewrite(last.id, hashed.description, hash);
    await choose(page, json);
    await page.getByText("This entry of the file is no longer in it").waitFor();
    await page.getByText(last.description).waitFor();
    await verify.click();
    await page.getByText("An entry from before your last check").waitFor();
    await leave();
  });

  test("the own share of the signed liabilities is verified, and a forged one is refused", async () => {
    await signLiabilities(service.core);
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.goto(statements);
    await page.getByText("Your balance is part of the total").waitFor();
    await page.route("**/api/v1/liabilities/*", async (route) => {
      const answer = await route.fetch();
      const forged = (await answer.text()).replace(/"balanceCents":(\d+)/, '"balanceCents":1$1');
      await route.fulfill({ response: answer, body: forged });
    });
    await page.reload();
    await page.getByText("The proof does not verify").waitFor();
    await leave();
  });

  test("a browser without Ed25519 offers the download and names the command", async () => {
    const { page, leave } = await visit(browser, service.url, { as: customer });
    await page.addInitScript(() => {
      SubtleCrypto.prototype.importKey = () =>
        Promise.reject(new DOMException("Unrecognized name", "NotSupportedError"));
    });
    await page.goto(statements);
    await page.getByText("This browser cannot verify signatures").waitFor();
    assert.equal(await page.getByRole("button", { name: "Verify in this browser" }).count(), 0);
    assert.equal(await page.getByRole("button", { name: "Download JSON" }).count(), 1);
    await leave();
  });
});
