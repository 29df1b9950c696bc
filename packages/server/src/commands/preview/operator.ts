import { limits } from "@ironlease/contract";
import { ConfigError } from "#config.ts";
import { addOperator } from "#features/operators/add-operator.ts";
import { newOperatorPassword } from "#features/operators/operator-password.ts";
import { setOperatorPassword } from "#features/operators/set-operator-password.ts";
import { systemCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import type { Refusal } from "#ports/result.ts";

/** The operator of a preview, and where the password comes from. */
export interface PreviewOperator {
  readonly username: string;
  readonly password:
    | { readonly kind: "generated"; readonly value: string }
    | { readonly kind: "configured" }
    | { readonly kind: "set earlier" };
}

const username = "operator";

/**
 * Ensures that the preview has an operator. The first start creates it, and every start sets the configured
 * password, if any. Hashing is slow, so it happens only where needed. If two processes start at once, one
 * finds the operator that the other created.
 */
export async function ensurePreviewOperator(
  core: Core,
  configured: string | undefined,
): Promise<PreviewOperator> {
  if (configured !== undefined) checkLength(configured);
  if (!(await operatorExists(core))) {
    const password = configured ?? newOperatorPassword(core.random);
    const added = await addOperator(core, systemCall, { username, role: "admin", password });
    if (added.ok) {
      return {
        username,
        password:
          configured === undefined
            ? { kind: "generated", value: password }
            : { kind: "configured" },
      };
    }
    if (added.refusal.code !== "username_taken") throw errorFor(added.refusal);
  }
  if (configured === undefined) return { username, password: { kind: "set earlier" } };
  const set = await setOperatorPassword(core, username, configured);
  if (!set.ok) throw errorFor(set.refusal);
  return { username, password: { kind: "configured" } };
}

async function operatorExists({ db }: Core): Promise<boolean> {
  const found = await db.read
    .selectFrom("operators")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirst();
  return found !== undefined;
}

const { min, max } = limits.password;

/** Counts code points, as the API does. */
function checkLength(password: string): void {
  const { length } = Array.from(password);
  if (length < min || length > max) {
    throw new ConfigError([`IRONLEASE_OPERATOR_PASSWORD must be ${min} to ${max} characters.`]);
  }
}

function errorFor({ code, fields = [], message = code }: Refusal): Error {
  return fields.length === 0
    ? new Error(`The preview's operator could not be created: ${message}`)
    : new ConfigError(fields.map((fault) => `IRONLEASE_OPERATOR_PASSWORD ${fault.message}.`));
}
