import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import type { Core } from "../../packages/server/src/kernel/core.ts";
import type { OperatorRole } from "../../packages/server/src/ports/schema.ts";
import { visit, type Visitor } from "./browser.ts";
import { addTestOperator } from "./operators.ts";
import type { TestService } from "./service.ts";

export const deskPassword = "the operators' pass phrase";

/** An operator at a page of the desk. */
export interface DeskVisitor extends Visitor {
  readonly username: string;
}

/** A new operator who signs in through the page. */
export async function sitDown(
  browser: Browser,
  { core, operatorUrl }: Pick<TestService, "core" | "operatorUrl">,
  role: OperatorRole,
): Promise<DeskVisitor> {
  const { username } = await addOperator(core, role);
  const visitor = await visit(browser, operatorUrl);
  const { page } = visitor;
  await page.goto("/");
  await enter(page, username);
  await page.getByRole("heading", { name: "Front page" }).waitFor();
  return { ...visitor, username };
}

export function addOperator(core: Core, role: OperatorRole) {
  return addTestOperator(core, role, { password: deskPassword });
}

export async function enter(page: Page, username: string): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(deskPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Goes on with the keyboard until what is in focus has that name. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const mostSteps = 60;
  for (let step = 0; step < mostSteps; step += 1) {
    await page.keyboard.press("Tab");
    const text = await page.evaluate(() => {
      const { activeElement } = document;
      return activeElement?.getAttribute("aria-label") ?? activeElement?.textContent ?? "";
    });
    if (name.test(text)) return;
  }
  assert.fail(`the keyboard does not lead to ${String(name)}`);
}

const axeSource = readFileSync(
  createRequire(import.meta.url).resolve("axe-core/axe.min.js"),
  "utf8",
);

/** What the accessibility checker finds on the page as it is. */
export async function assertAccessible(page: Page, where: string): Promise<void> {
  await page.evaluate(axeSource);
  const found = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
    };
    const { violations } = await axe.run();
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" ")}`);
  });
  assert.deepEqual(found, [], where);
}
