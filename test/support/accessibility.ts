import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** If fewer rules pass, the page was empty. */
const fewestRules = 10;

/** The violations that axe finds on the current page. */
export async function accessibilityProblems(page: Page, where: string): Promise<readonly string[]> {
  await page.evaluate(axe);
  const { violations, passes } = await page.evaluate(async () => {
    const checker = (globalThis as unknown as { axe: { run(): Promise<AxeResults> } }).axe;
    const results = await checker.run();
    return {
      violations: results.violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ""}`),
      passes: results.passes.length,
    };
  });
  const found = passes < fewestRules ? ["the page was empty"] : violations;
  return found.map((problem) => `${where}: ${problem}`);
}
