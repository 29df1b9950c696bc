import { defaultFor, parseConfig, settings, type Mode, type Setting } from "#config.ts";
import type { Call } from "./command.ts";
import { settingColumns } from "./settings-columns.ts";
import { showList } from "./show-list.ts";

type SettingsCall = Call<unknown, { readonly preview: boolean; readonly all: boolean }>;

/** Prints the settings in use and their sources. Throws a ConfigError if one is invalid. */
export async function showSettings(call: SettingsCall): Promise<number> {
  const { options, env, sources } = call;
  const mode: Mode = options.preview ? "preview" : "serve";
  parseConfig(mode, env);
  const shown = Object.values<Setting<unknown>>(settings)
    .map((setting) => ({
      name: setting.name,
      value: valueOf(setting, mode, env[setting.name]),
      source: sources.get(setting.name) ?? "default",
    }))
    .filter(({ value }) => options.all || value !== null);
  showList(call, { settings: shown }, { rows: shown, columns: settingColumns });
  return 0;
}

function valueOf(setting: Setting<unknown>, mode: Mode, text: string | undefined): string | null {
  if (text !== undefined && setting.secret === true) return "(secret)";
  return text ?? defaultFor(setting, mode) ?? null;
}
