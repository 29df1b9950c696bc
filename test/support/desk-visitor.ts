import type { Browser, Page } from "playwright-core";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorRole } from "#server/ports/schema.ts";
import { visit, type Visitor, type VisitOptions } from "./browser.ts";
import { addTestOperator } from "./operators.ts";
import type { TestService } from "./service.ts";

export const deskPassword = "the operators' pass phrase";

/** An operator who is signed in to the desk in a browser. */
export interface DeskVisitor extends Visitor {
  readonly username: string;
}

/** Creates an operator and signs in through the sign-in page. */
export async function signInAtDesk(
  browser: Browser,
  { core, operatorUrl }: Pick<TestService, "core" | "operatorUrl">,
  role: OperatorRole,
  options: VisitOptions = {},
): Promise<DeskVisitor> {
  const { username } = await addOperator(core, role);
  return signInAs(browser, operatorUrl, username, options);
}

/** Signs an operator in through the sign-in page. */
export async function signInAs(
  browser: Browser,
  operatorUrl: string,
  username: string,
  options: VisitOptions = {},
): Promise<DeskVisitor> {
  const visitor = await visit(browser, operatorUrl, options);
  const { page } = visitor;
  await page.goto("/");
  await submitSignIn(page, username);
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  return { ...visitor, username };
}

/** Completes the claimed item although its checklist has open steps. */
export async function completeAnyway(page: Page, button: string): Promise<void> {
  await page.getByRole("button", { name: button }).click();
  await page.getByRole("button", { name: "Complete anyway" }).click();
}

export function addOperator(core: Core, role: OperatorRole) {
  return addTestOperator(core, role, { password: deskPassword });
}

export async function submitSignIn(
  page: Page,
  username: string,
  password = deskPassword,
): Promise<void> {
  await page.getByLabel("Username").fill(username);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
}
