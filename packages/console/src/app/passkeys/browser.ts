import type { FinishPasskeyRequest, FinishPasskeySignInRequest } from "@ironlease/client";

/** The browser's part of WebAuthn. Options and answers are JSON, as the service takes them. */

export type NewCredential = FinishPasskeyRequest["credential"];
export type Assertion = FinishPasskeySignInRequest["credential"];

/** Whether this browser can, here: passkeys belong to a host name, never to an address. */
export function hasPasskeys(): boolean {
  const isAddress = /^(?:[\d.]+|\[.*\])$/.test(location.hostname);
  return (
    !isAddress &&
    typeof PublicKeyCredential === "function" &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === "function"
  );
}

/** Creates a passkey. Undefined if the user cancels. */
export async function createPasskey(options: object): Promise<NewCredential | undefined> {
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(
    options as PublicKeyCredentialCreationOptionsJSON,
  );
  return answerOf(() => navigator.credentials.create({ publicKey }));
}

/** Signs with a passkey that the user chooses. Undefined if they cancel. */
export async function askForPasskey(options: object): Promise<Assertion | undefined> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(
    options as PublicKeyCredentialRequestOptionsJSON,
  );
  return answerOf(() => navigator.credentials.get({ publicKey }));
}

async function answerOf<Answer>(
  ask: () => Promise<Credential | null>,
): Promise<Answer | undefined> {
  try {
    const credential = await ask();
    if (!(credential instanceof PublicKeyCredential)) return undefined;
    return credential.toJSON() as Answer;
  } catch (error) {
    const { name } = error as DOMException;
    // The user has cancelled, or has not answered in time.
    if (name === "NotAllowedError" || name === "AbortError") return undefined;
    if (name === "InvalidStateError") {
      throw new Error("This device already has a passkey for your account.", { cause: error });
    }
    throw error;
  }
}
