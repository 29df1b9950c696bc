/**
 * The chart library formats numbers in the browser's language, and fails to load if that is no language tag. Chromium
 * on a system without a locale says `en-US@posix`.
 */
export function replaceInvalidLanguage(): void {
  try {
    Intl.getCanonicalLocales(navigator.language);
  } catch {
    Object.defineProperty(navigator, "language", { value: "en-US" });
  }
}
