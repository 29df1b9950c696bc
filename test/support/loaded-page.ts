import assert from "node:assert/strict";
import type { Page } from "playwright-core";

/** Waits until the page has a heading, its fonts, and no placeholders of what still loads. */
export async function waitUntilLoaded(page: Page): Promise<void> {
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.waitForFunction(() => document.querySelector("[data-skeleton]") === null);
  await page.waitForLoadState("networkidle");
  await page.evaluate(() => document.fonts.ready);
  await assertLoaded(page);
}

/** Fails if the page has no heading yet, or placeholders. */
export async function assertLoaded(page: Page): Promise<void> {
  const headings = await page.getByRole("heading", { level: 1 }).count();
  const placeholders = await page.locator("[data-skeleton]").count();
  assert.ok(headings > 0 && placeholders === 0, `${page.url()} still loads`);
}
