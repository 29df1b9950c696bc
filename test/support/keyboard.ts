import type { Page } from "playwright-core";

/**
 * Moves through a page with the Tab key. Returns the controls that never receive the focus, and those that
 * do not show it.
 */
export async function walkByKeyboard(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(markControls);
  const hidden = new Set<string>();
  // Start at the top, wherever the page has put the focus.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    getSelection()?.removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  // Each part of a date and time takes one Tab.
  const dates = page.locator("input:is([type=date], [type=datetime-local])");
  const parts = 8 * (await dates.count());
  for (let steps = 0; steps < count + parts + 5; steps += 1) {
    await page.keyboard.press("Tab");
    const withoutOutline = await page.evaluate(visitFocused);
    if (withoutOutline !== undefined) hidden.add(withoutOutline);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll("[data-walk=missed]")].map(
      (element) => `never reached: ${element.outerHTML.slice(0, 120)}`,
    ),
  );
  return [...missed, ...[...hidden].map((html) => `focus not visible: ${html}`)];
}

/** Marks the controls that Tab must reach. In a radio group, that is the checked one or the first. */
function markControls(): number {
  const controls = [
    ...document.querySelectorAll<HTMLElement>(
      "a[href], button, input, select, textarea, [role=switch]",
    ),
  ].filter(
    (element) =>
      element.checkVisibility({ visibilityProperty: true }) &&
      !element.matches(":disabled, [tabindex='-1'], [aria-hidden=true]"),
  );
  for (const control of controls) {
    const isLaterRadio =
      control instanceof HTMLInputElement &&
      control.type === "radio" &&
      control !==
        (controls.find(
          (other) =>
            other instanceof HTMLInputElement && other.name === control.name && other.checked,
        ) ??
          controls.find(
            (other) => other instanceof HTMLInputElement && other.name === control.name,
          ));
    if (!isLaterRadio) control.dataset["walk"] = "missed";
  }
  return document.querySelectorAll("[data-walk=missed]").length;
}

function visitFocused(): string | undefined {
  const focused = document.activeElement;
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined;
  focused.dataset["walk"] = "reached";
  // If the control is hidden or inside a card, its label shows the focus.
  const shown = [focused, focused.closest("label")].some(
    (element) => element !== null && getComputedStyle(element).outlineStyle !== "none",
  );
  return shown ? undefined : focused.outerHTML.slice(0, 120);
}

const maxSteps = 80;

/** Presses Tab until the control with that accessible name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < maxSteps; steps += 1) {
    await page.keyboard.press("Tab");
    const label = await page.evaluate(() => {
      const element = document.activeElement;
      const labels = (element as Partial<HTMLInputElement> | null)?.labels ?? [];
      const text = Array.from(labels, ({ textContent }) => textContent).join(" ");
      return element?.getAttribute("aria-label") ?? (text === "" ? element?.textContent : text);
    });
    if (name.test(label ?? "")) return;
  }
  throw new Error(`Tab never reached ${name}`);
}
