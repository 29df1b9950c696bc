import { beginPasskey } from "#features/passkeys/begin-passkey.ts";
import { beginPasskeySignIn } from "#features/passkeys/begin-sign-in.ts";
import { finishPasskey } from "#features/passkeys/finish-passkey.ts";
import { listPasskeys, type PasskeyRecord } from "#features/passkeys/list-passkeys.ts";
import { removePasskey } from "#features/passkeys/remove-passkey.ts";
import { signInAccount } from "#features/passkeys/sign-in-account.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { accountCookies, setCookies } from "#http/admission/cookies.ts";

type Passkeys =
  | "beginPasskey"
  | "finishPasskey"
  | "listPasskeys"
  | "removePasskey"
  | "beginPasskeySignIn"
  | "finishPasskeySignIn";

export function passkeyHandlers(core: Core): Handlers<Passkeys> {
  return {
    beginPasskey: async ({ core, caller, session, relyingParty }) => {
      const result = await beginPasskey(core, { ...session, call: caller }, relyingParty);
      return result.ok ? ok({ status: 200, body: { options: result.value } }) : result;
    },
    finishPasskey: async ({ core, caller, session, body, relyingParty }) => {
      const passkey = { ...body, relyingParty };
      const result = await finishPasskey(core, { ...session, call: caller }, passkey);
      return result.ok ? ok({ status: 201, body: passkeyOnWire(result.value) }) : result;
    },
    listPasskeys: async ({ account }) => {
      const passkeys = await listPasskeys(core, { side: "account", id: account.accountId });
      return ok({ status: 200, body: { passkeys: passkeys.map(passkeyOnWire) } });
    },
    removePasskey: async ({ core, caller, session, parameters }) => {
      const result = await removePasskey(core, { ...session, call: caller }, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    beginPasskeySignIn: async ({ core, client, relyingParty }) => {
      const result = await beginPasskeySignIn(core, client, "account", relyingParty);
      return result.ok ? ok({ status: 200, body: { options: result.value } }) : result;
    },
    finishPasskeySignIn: async ({ core, client, body, relyingParty, presentedSessionToken }) => {
      const input = { ...body, relyingParty, presentedSessionToken };
      const result = await signInAccount(core, client, input);
      if (!result.ok) return result;
      const { username, csrfToken } = result.value;
      return ok({
        status: 200,
        body: { username, csrfToken },
        cookies: setCookies(accountCookies, result.value),
      });
    },
  };
}

export function passkeyOnWire({ id, name, createdAt, lastUsedAt }: PasskeyRecord) {
  return { id, name, createdAt: isoTime(createdAt), lastUsedAt: isoTimeOrNull(lastUsedAt) };
}
