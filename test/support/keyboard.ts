import type { Page } from "playwright-core";

/**
 * Goes through a page with the Tab key alone. Says what is wrong: a control that is never reached, or
 * one that has the focus without showing it.
 */
export async function walkByKeyboard(page: Page): Promise<readonly string[]> {
  const count = await page.evaluate(markControls);
  const hidden = new Set<string>();
  // From the very beginning, wherever the page has put the focus.
  await page.evaluate(() => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    getSelection()?.removeAllRanges();
    document.body.tabIndex = -1;
    document.body.focus();
  });
  // A date and time is walked part by part.
  const parts = 8 * (await page.locator("input[type=datetime-local]").count());
  for (let steps = 0; steps < count + parts + 5; steps += 1) {
    await page.keyboard.press("Tab");
    const unseen = await page.evaluate(visitFocused);
    if (unseen !== undefined) hidden.add(unseen);
  }
  const missed = await page.evaluate(() =>
    [...document.querySelectorAll("[data-walk=missed]")].map(
      (element) => `never reached: ${element.outerHTML.slice(0, 120)}`,
    ),
  );
  return [...missed, ...[...hidden].map((html) => `focus not seen: ${html}`)];
}

/** Marks what has to be reached; of radio buttons of one name, the one that is on, or the first. */
function markControls(): number {
  const controls = [
    ...document.querySelectorAll<HTMLElement>("a[href], button, input, select, textarea"),
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
  // Where the control itself is out of sight or inside a card, its label shows the focus.
  const shown = [focused, focused.closest("label")].some(
    (element) => element !== null && getComputedStyle(element).outlineStyle !== "none",
  );
  return shown ? undefined : focused.outerHTML.slice(0, 120);
}

const mostSteps = 80;

/** Presses Tab until the control of that name has the focus. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let steps = 0; steps < mostSteps; steps += 1) {
    await page.keyboard.press("Tab");
    const said = await page.evaluate(() => {
      const element = document.activeElement;
      const labels = (element as Partial<HTMLInputElement> | null)?.labels ?? [];
      const label = Array.from(labels, ({ textContent }) => textContent).join(" ");
      return element?.getAttribute("aria-label") ?? (label === "" ? element?.textContent : label);
    });
    if (name.test(said ?? "")) return;
  }
  throw new Error(`${name} is not reached by keyboard`);
}
