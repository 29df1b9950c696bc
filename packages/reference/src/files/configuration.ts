import { markdownPage, markdownTable } from "./markdown.ts";

export interface DocumentedSetting {
  readonly name: string;
  readonly meaning: string;
  readonly isSecret: boolean;
  /** Undefined where the setting has no default. */
  readonly previewDefault: string | undefined;
  readonly serveDefault: string | undefined;
}

/** `configuration.md`: every setting with its defaults. */
export function configurationFile(settings: readonly DocumentedSetting[]): string {
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    shown(setting.previewDefault),
    shown(setting.serveDefault),
    setting.isSecret ? "yes" : "",
    setting.meaning,
  ]);
  return markdownPage(
    "Configuration",
    "Settings are environment variables. The service refuses to start with an unknown name or an " +
      "invalid value, and says which. `ironleased doctor` checks the settings without starting the service.",
    markdownTable(["Setting", "Default in preview", "Default in serve", "Secret", "Meaning"], rows),
  );
}

function shown(text: string | undefined): string {
  return text === undefined ? "none" : `\`${text}\``;
}
