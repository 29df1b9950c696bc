import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults, RunOptions } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** If fewer rules pass, the page was empty. */
const fewestRules = 10;

/** The violations that axe finds on the current page. */
export async function accessibilityProblems(page: Page, where: string): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(async () => {
    const checker = (
      globalThis as unknown as { axe: { run(options: RunOptions): Promise<AxeResults> } }
    ).axe;
    // Describing every element that passes would take most of the time.
    const results = await checker.run({ resultTypes: ["violations"], preload: false });
    return {
      violations: results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`),
      passes: results.passes.length,
    };
  });
  const found = passes < fewestRules ? ["the page was empty"] : violations;
  return found.map((problem) => `${where}: ${problem}`);
}

const appearances = [
  { colorScheme: "light", width: 1440 },
  { colorScheme: "dark", width: 390 },
] as const;

/** Checks the current page in light and dark, on a desktop and a phone. */
export async function assertAccessible(page: Page, what: string): Promise<void> {
  for (const { colorScheme, width } of appearances) {
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    const where = `${what}, ${colorScheme}, ${width} px`;
    assert.deepEqual(await accessibilityProblems(page, where), []);
    const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    assert.ok(overflow <= 0, `${where} is ${overflow} px too wide`);
  }
  await page.setViewportSize({ width: 1280, height: 900 });
}
