import { parseArgs } from "node:util";
import { roles, type Role } from "@ironlease/contract";
import { addOperator } from "../../features/operators/add-operator.ts";
import { newOperatorPassword } from "../../features/operators/operator-password.ts";
import { withDatabase, type Environment, type Print } from "../with-database.ts";

const usage = `Usage: ironleased operator add NAME [--role ${roles.join("|")}]`;

/**
 * Adds an operator and prints the password, which nobody can read afterwards. Exit code 1 when it is
 * refused, 2 when the command line is not understood.
 */
export async function operatorAdd(
  args: readonly string[],
  env: Environment,
  print: Print,
): Promise<number> {
  const wanted = readWanted(args);
  if (typeof wanted === "string") {
    print(wanted);
    print(usage);
    return 2;
  }
  const { name, role } = wanted;
  return withDatabase(env, print, "make", async (core) => {
    const password = newOperatorPassword(core.random);
    const added = await addOperator(core, { username: name, role, password });
    if (!added.ok) {
      const { refusal } = added;
      for (const { message } of refusal.fields ?? []) print(`The name ${message}.`);
      if (refusal.code === "username_taken") {
        print(`${refusal.message} ironleased operator reset ${name} gives it a new password.`);
      }
      return 1;
    }
    print(`Added the operator ${added.value.username} with the role ${role}.`);
    print(`password: ${password}`);
    print("It is shown this once. Whoever gets it should change it after the first sign-in.");
    if (role !== "support") {
      print("Under serve this role sets up a second factor before anything else works.");
    }
    return 0;
  });
}

/** Whom to add, or a sentence that says what is wrong with the arguments. */
function readWanted(args: readonly string[]): { name: string; role: Role } | string {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      allowPositionals: true,
      options: { role: { type: "string", default: "support" } },
    });
    const [name, ...rest] = positionals;
    if (name === undefined || rest.length > 0) return "It takes one name.";
    const role = roles.find((known) => known === values.role);
    return role === undefined ? `--role takes one of ${roles.join(", ")}.` : { name, role };
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
