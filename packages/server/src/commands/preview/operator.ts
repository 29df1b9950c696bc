import { limits } from "@ironlease/contract";
import { ConfigError } from "../../config.ts";
import { addOperator } from "../../features/operators/add-operator.ts";
import { newOperatorPassword } from "../../features/operators/operator-password.ts";
import { setOperatorPassword } from "../../features/operators/set-operator-password.ts";
import type { Core } from "../../kernel/core.ts";
import type { Refusal } from "../../ports/result.ts";

/** The operator of a preview, and what the guide can say about the password. */
export interface PreviewOperator {
  readonly username: string;
  readonly password:
    | { readonly kind: "made"; readonly value: string }
    | { readonly kind: "configured" }
    | { readonly kind: "made before" };
}

const username = "operator";

/**
 * Sees to it that the preview has an operator: one that is made at the first start, and whose password
 * is the configured one, if there is one, at every start. Hashing takes its time, so it happens only
 * where it has to. Of two processes that start at once, one finds that the other has done it.
 */
export async function ensurePreviewOperator(
  core: Core,
  configured: string | undefined,
): Promise<PreviewOperator> {
  if (configured !== undefined) checkLength(configured);
  if (!(await isThere(core))) {
    const made = configured ?? newOperatorPassword(core.random);
    const added = await addOperator(core, { username, role: "admin", password: made });
    if (added.ok) {
      const isMade = configured === undefined;
      return {
        username,
        password: isMade ? { kind: "made", value: made } : { kind: "configured" },
      };
    }
    if (added.refusal.code !== "username_taken") throw unfit(added.refusal);
  }
  if (configured === undefined) return { username, password: { kind: "made before" } };
  const set = await setOperatorPassword(core, username, configured);
  if (!set.ok) throw unfit(set.refusal);
  return { username, password: { kind: "configured" } };
}

async function isThere({ db }: Core): Promise<boolean> {
  const found = await db.read
    .selectFrom("operators")
    .select("id")
    .where("username", "=", username)
    .executeTakeFirst();
  return found !== undefined;
}

const { min, max } = limits.password;

/** As the API counts a password that comes in: in code points. */
function checkLength(password: string): void {
  const { length } = Array.from(password);
  if (length < min || length > max) {
    throw new ConfigError([`IRONLEASE_OPERATOR_PASSWORD must be ${min} to ${max} characters.`]);
  }
}

function unfit({ code, fields = [], message = code }: Refusal): Error {
  return fields.length === 0
    ? new Error(`the operator of the preview could not be made: ${message}`)
    : new ConfigError(fields.map((fault) => `IRONLEASE_OPERATOR_PASSWORD ${fault.message}.`));
}
