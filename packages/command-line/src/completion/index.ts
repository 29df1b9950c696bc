import type { Command } from "../../../cli/src/command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { completionsOf } from "./places.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[];

export function completionScript(shell: keyof typeof scripts, table: readonly Command[]): string {
  return scripts[shell](completionsOf(table));
}
