import { client } from "#desk/data/client.ts";
import { reads } from "#desk/data/reads.ts";
import type { PasskeySource } from "#app/passkeys/passkey-source.ts";

/** The operations on the operator's own passkeys, which also are a second factor. */
export const operatorPasskeys: Omit<PasskeySource, "passkeys"> = {
  refreshes: [reads.passkeys.queryKey, reads.operator.queryKey],
  begin: () => client.beginOperatorPasskey(),
  finish: (request) => client.finishOperatorPasskey(request),
  remove: (request) => client.removeOperatorPasskey(request),
};
