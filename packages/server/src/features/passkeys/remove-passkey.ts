import { requireFreshSignIn } from "#kernel/access/fresh-sign-in.ts";
import { audit } from "#kernel/audit.ts";
import type { Core } from "#kernel/core.ts";
import { tellContact } from "#kernel/mails.ts";
import { deletePasskey } from "#kernel/passkeys/passkeys.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";
import { ownerOf, type PasskeyCall } from "./passkey-call.ts";

/** Removes one of the owner's own passkeys at once. */
export async function removePasskey(
  core: Core,
  caller: PasskeyCall,
  passkeyId: string,
): Promise<Result<void>> {
  const owner = ownerOf(caller);
  return core.db.write(async (tx) => {
    const fresh = requireFreshSignIn(core, caller.signedInAt, "remove a passkey");
    if (!fresh.ok) return fresh;
    if (!(await deletePasskey(tx, owner, passkeyId))) return refuse("not_found");
    const step = { tx, core, call: caller.call };
    if (owner.side === "account") {
      await tellContact(step, owner.id, { kind: "SECURITY", topic: "passkey.removed" });
    }
    await audit(step, "passkey.remove", passkeyId);
    return ok();
  });
}
