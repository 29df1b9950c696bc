import type { Program } from "../command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { placesOf } from "./places.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export const shells = Object.keys(scripts) as readonly (keyof typeof scripts)[];

/** The script that makes a shell complete the program's commands and options. */
export function completionScript(shell: keyof typeof scripts, program: Program): string {
  return scripts[shell](program.name, placesOf(program));
}
