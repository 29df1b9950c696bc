import { beginPasskey } from "#features/passkeys/begin-passkey.ts";
import { beginPasskeySignIn } from "#features/passkeys/begin-sign-in.ts";
import { finishPasskey } from "#features/passkeys/finish-passkey.ts";
import { listPasskeys } from "#features/passkeys/list-passkeys.ts";
import { removePasskey } from "#features/passkeys/remove-passkey.ts";
import { signInOperatorByPasskey } from "#features/passkeys/sign-in-operator.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { operatorCookies, setCookies } from "#http/admission/cookies.ts";
import { passkeyOnWire } from "#http/handlers/passkeys.ts";

type OperatorPasskeys =
  | "beginOperatorPasskey"
  | "finishOperatorPasskey"
  | "listOperatorPasskeys"
  | "removeOperatorPasskey"
  | "beginOperatorPasskeySignIn"
  | "finishOperatorPasskeySignIn";

export function operatorPasskeyHandlers(core: Core): Handlers<OperatorPasskeys> {
  return {
    beginOperatorPasskey: async ({ core, caller, operator, relyingParty }) => {
      const result = await beginPasskey(core, { ...operator, call: caller }, relyingParty);
      return result.ok ? ok({ status: 200, body: { options: result.value } }) : result;
    },
    finishOperatorPasskey: async ({ core, caller, operator, body, relyingParty }) => {
      const passkey = { ...body, relyingParty };
      const result = await finishPasskey(core, { ...operator, call: caller }, passkey);
      return result.ok ? ok({ status: 201, body: passkeyOnWire(result.value) }) : result;
    },
    listOperatorPasskeys: async ({ operator }) => {
      const passkeys = await listPasskeys(core, { side: "operator", id: operator.operatorId });
      return ok({ status: 200, body: { passkeys: passkeys.map(passkeyOnWire) } });
    },
    removeOperatorPasskey: async ({ core, caller, operator, parameters }) => {
      const result = await removePasskey(core, { ...operator, call: caller }, parameters.id);
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
    beginOperatorPasskeySignIn: async ({ core, client, relyingParty }) => {
      const result = await beginPasskeySignIn(core, client, "operator", relyingParty);
      return result.ok ? ok({ status: 200, body: { options: result.value } }) : result;
    },
    finishOperatorPasskeySignIn: async (call) => {
      const { core, client, body, relyingParty, presentedSessionToken } = call;
      const input = { ...body, relyingParty, presentedSessionToken };
      const result = await signInOperatorByPasskey(core, client, input);
      if (!result.ok) return result;
      const { username, role, csrfToken } = result.value;
      return ok({
        status: 200,
        body: { username, role, csrfToken },
        cookies: setCookies(operatorCookies, result.value),
      });
    },
  };
}
