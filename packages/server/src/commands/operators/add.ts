import type { Role } from "@ironlease/contract";
import { addOperator } from "#features/operators/add-operator.ts";
import { systemCall } from "#kernel/call.ts";
import { newOperatorPassword } from "#features/operators/operator-password.ts";
import type { Call } from "#commands/command.ts";
import { withDatabase } from "#commands/with-database.ts";
import { passwordLines } from "./password-lines.ts";

type AddCall = Call<{ readonly name: string }, { readonly role: Role }>;

/** Adds an operator and prints the password, which cannot be read later. Exit code 1 if refused. */
export async function addOperatorCommand({
  args,
  options,
  env,
  print,
  data,
}: AddCall): Promise<number> {
  const { name } = args;
  const { role } = options;
  return withDatabase(env, print, "create", async (core) => {
    const password = newOperatorPassword(core.random);
    const added = await addOperator(core, systemCall, { username: name, role, password });
    if (!added.ok) {
      const { refusal } = added;
      for (const { message } of refusal.fields ?? []) print(`The name ${message}.`);
      if (refusal.code === "username_taken") {
        print(`${refusal.message} To set a new password: ironleased operator reset ${name}`);
      }
      return 1;
    }
    data({ username: added.value.username, role, password });
    print(`Added operator ${added.value.username} with role ${role}.`);
    for (const line of passwordLines(password)) print(line);
    if (role !== "support") {
      print("With ironleased serve, this role must set up a second factor at the first sign-in.");
    }
    return 0;
  });
}
