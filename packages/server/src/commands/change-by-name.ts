import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import { sayWhoMakesIt, withDatabase, type Environment, type Print } from "./with-database.ts";

export type Command = (args: readonly string[], env: Environment, print: Print) => Promise<number>;

/** A command that takes one name. Exit code 1 when it is refused, 2 when it is not understood. */
export function changing(
  words: string,
  change: (core: Core, name: string) => Promise<Result<readonly string[]>>,
): Command {
  return async ([name, ...rest], env, print) => {
    if (name === undefined || name.startsWith("-") || rest.length > 0) {
      print("It takes one name.");
      print(`Usage: ironleased ${words} NAME`);
      return 2;
    }
    return withDatabase(env, print, sayWhoMakesIt, async (core) => {
      const changed = await change(core, name);
      if (changed.ok) for (const line of changed.value) print(line);
      else print(changed.refusal.message ?? changed.refusal.code);
      return changed.ok ? 0 : 1;
    });
  };
}

/** The lines that tell of a change, or its refusal. */
export function said<T>(result: Result<T>, lines: (value: T) => readonly string[]) {
  return result.ok ? { ok: true as const, value: lines(result.value) } : result;
}
