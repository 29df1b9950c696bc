import type { Core } from "#kernel/core.ts";
import type { Result } from "#ports/result.ts";
import type { Call } from "./command.ts";
import { addOperatorFirst, withDatabase } from "./with-database.ts";

export type NameCall = Call<{ readonly name: string }>;

/** Changes the operator or customer with that name and prints the outcome. Exit code 1 if refused. */
export function changeByName<T extends object>(
  { args, env, print, data }: NameCall,
  change: (core: Core, name: string) => Promise<Result<T>>,
  linesOf: (value: T) => readonly string[],
): Promise<number> {
  return withDatabase(env, print, addOperatorFirst, async (core) => {
    const changed = await change(core, args.name);
    if (!changed.ok) {
      print(changed.refusal.message ?? changed.refusal.code);
      return 1;
    }
    data(changed.value);
    for (const line of linesOf(changed.value)) print(line);
    return 0;
  });
}
