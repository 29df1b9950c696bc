import type { Browser, Page } from "playwright-core";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorRole } from "#server/ports/schema.ts";
import { visit, type Visitor } from "./browser.ts";
import { addTestOperator } from "./operators.ts";
import type { TestService } from "./service.ts";

const deskPassword = "the operators' pass phrase";

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
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
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
