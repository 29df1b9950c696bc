import { disableOperator } from "../features/operators/disable-operator.ts";
import { enableOperator } from "../features/operators/enable-operator.ts";
import { resetOperator } from "../features/operators/reset-operator.ts";
import type { Core } from "../kernel/core.ts";
import type { Result } from "../ports/result.ts";
import { sayWhoMakesIt, withDatabase, type Environment, type Print } from "./with-database.ts";

type Command = (args: readonly string[], env: Environment, print: Print) => Promise<number>;

/** Shuts an operator out at once. */
export const operatorDisable: Command = changing("disable", async (core, name) => {
  const result = await disableOperator(core, name);
  return said(result, ({ username, isChanged }) => [
    isChanged
      ? `${username} is disabled: every session has ended, and no sign-in works.`
      : `${username} is disabled already.`,
  ]);
});

/** Lets an operator in again. */
export const operatorEnable: Command = changing("enable", async (core, name) => {
  const result = await enableOperator(core, name);
  return said(result, ({ username, isChanged }) => [
    isChanged
      ? `${username} can sign in again, with the same password and second factor as before.`
      : `${username} is not disabled.`,
  ]);
});

/** Gives an operator a new password, which is printed this once, and takes the second factor away. */
export const operatorReset: Command = changing("reset", async (core, name) => {
  const result = await resetOperator(core, name);
  return said(result, ({ username, password, isDisabled }) => [
    `Reset ${username}: every session has ended, and the second factor is to be set up anew.`,
    `password: ${password}`,
    "It is shown this once. Whoever gets it should change it after the first sign-in.",
    ...(isDisabled ? [`${username} stays disabled: ironleased operator enable ${username}.`] : []),
  ]);
});

/** A command that takes one name. Exit code 1 when it is refused, 2 when it is not understood. */
function changing(
  verb: string,
  change: (core: Core, name: string) => Promise<Result<readonly string[]>>,
): Command {
  return async ([name, ...rest], env, print) => {
    if (name === undefined || name.startsWith("-") || rest.length > 0) {
      print("It takes one name.");
      print(`Usage: ironleased operator ${verb} NAME`);
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

function said<T>(result: Result<T>, lines: (value: T) => readonly string[]) {
  return result.ok ? { ok: true as const, value: lines(result.value) } : result;
}
