import { Monitor, Moon, Sun } from "./icons.ts";
import { useId } from "react";
import { classNames } from "./class-names.ts";
import { useTheme, type Theme } from "./theme.ts";

const themes: readonly {
  readonly theme: Theme;
  readonly label: string;
  readonly Icon: typeof Sun;
}[] = [
  { theme: "light", label: "Light", Icon: Sun },
  { theme: "dark", label: "Dark", Icon: Moon },
  { theme: "system", label: "System", Icon: Monitor },
];

/** Light, dark, or the system setting. */
export function ThemeSwitch() {
  const [chosen, choose] = useTheme();
  const name = useId();
  return (
    <fieldset className="flex w-fit rounded-md border border-line bg-raised p-0.5">
      <legend className="sr-only">Theme</legend>
      {themes.map(({ theme, label, Icon }) => (
        <label
          key={theme}
          title={label}
          className={classNames(
            "flex h-8 w-9 items-center justify-center rounded-sm has-focus-visible:outline-2 has-focus-visible:outline-focus",
            theme === chosen ? "bg-surface text-text shadow-panel" : "text-quiet hover:text-text",
          )}
        >
          <input
            type="radio"
            name={name}
            className="sr-only"
            checked={theme === chosen}
            onChange={() => choose(theme)}
          />
          <Icon aria-hidden className="size-4" />
          <span className="sr-only">{label}</span>
        </label>
      ))}
    </fieldset>
  );
}
