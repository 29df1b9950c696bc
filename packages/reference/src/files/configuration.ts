import { markdownPage, markdownTable } from "./markdown.ts";

export interface DocumentedSetting {
  readonly name: string;
  readonly meaning: string;
  readonly isSecret: boolean;
  /** Undefined where the setting has no default. */
  readonly previewDefault: string | undefined;
  readonly serveDefault: string | undefined;
}

/** A test reads it as a settings file. */
const example = `listen = "127.0.0.1:8443"
origin = "https://rent.example"
database_url_file = "/etc/ironlease/database-url"
database_pool = 8`;

/** `configuration.md`: every setting with its defaults. */
export function configurationFile(settings: readonly DocumentedSetting[]): string {
  const rows = settings.map((setting) => [
    `\`${setting.name}\``,
    shown(setting.previewDefault),
    shown(setting.serveDefault),
    setting.isSecret ? "yes" : "",
    setting.meaning,
  ]);
  const secretFiles = settings
    .filter(({ isSecret }) => isSecret)
    .map(({ name }) => `\`${name}_FILE\``)
    .join(", ");
  return markdownPage(
    "Configuration",
    "Settings are environment variables. The service refuses to start with an unknown name or an " +
      "invalid value, and says which. `ironleased doctor` checks the settings without starting the service, and " +
      "`ironleased settings` shows which are in use and where each comes from.",
    markdownTable(["Setting", "Default in preview", "Default in serve", "Secret", "Meaning"], rows),
    "## Settings in a file",
    "Every command takes `--config FILE`, a TOML or JSON file. A key is the name of the variable without `IRONLEASE_`, in " +
      "lower case. A value is text or a number. An error names its line. A variable takes precedence over the file.",
    "```toml\n" + example + "\n```",
    "Relative paths start at the folder in which the command runs.",
    "## Secrets in files",
    `For every secret setting there is one with \`_FILE\`, which names a file with the value on one line: ${secretFiles}. ` +
      "They work as variables and, like any setting, in the file. Set one of the two, not both. The user that runs the " +
      "service must be able to read the file, and no other user should. " +
      "`ironleased doctor` names the files of secrets that every user can read.",
  );
}

function shown(text: string | undefined): string {
  return text === undefined ? "none" : `\`${text}\``;
}
