import type { Program } from "../command.ts";
import { bashScript } from "./bash.ts";
import { fishScript } from "./fish.ts";
import { placesOf } from "./places.ts";
import { zshScript } from "./zsh.ts";

const scripts = { bash: bashScript, zsh: zshScript, fish: fishScript } as const;

export type Shell = keyof typeof scripts;

export const shells = Object.keys(scripts) as readonly Shell[];

/** The script that makes a shell complete the program's commands and options. */
export function completionScript(shell: Shell, program: Program): string {
  return scripts[shell](program.name, placesOf(program), program.completes);
}
