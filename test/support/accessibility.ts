import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { AxeResults } from "axe-core";
import type { Page } from "playwright-core";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** Below so many rules that passed, the checker has looked at an empty page. */
const fewestRules = 10;

/** What the accessibility checker finds wrong with the page as it is. */
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
  const found = passes < fewestRules ? ["next to nothing was looked at"] : violations;
  return found.map((problem) => `${where}: ${problem}`);
}
