import type { Webauthn } from "#ports/webauthn.ts";

/** Loaded on first use: most processes never verify a passkey, and the library needs 30 MB. */
const load = () => import("@simplewebauthn/server");
const loadHelpers = () => import("@simplewebauthn/server/helpers");

/** COSE names of ES256, EdDSA and RS256. */
const algorithms = [-7, -8, -257];

/** WebAuthn with `@simplewebauthn/server`, which reports every wrong answer by throwing. */
export const webauthn: Webauthn = {
  verifyRegistration: async (answer, { challenge, relyingParty }) => {
    const { verifyRegistrationResponse } = await load();
    if (!(await hasNoCertificates(answer.response.attestationObject))) return undefined;
    const verified = await verifyRegistrationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      supportedAlgorithmIDs: algorithms,
    }).catch(() => undefined);
    if (verified?.verified !== true) return undefined;
    const { credential, credentialBackedUp } = verified.registrationInfo;
    if (credential.id !== answer.id) return undefined;
    return {
      credentialId: credential.id,
      publicKey: Buffer.from(credential.publicKey).toString("base64url"),
      counter: credential.counter,
      isBackedUp: credentialBackedUp,
    };
  },
  verifyAssertion: async (answer, { challenge, relyingParty, publicKey }) => {
    const { verifyAuthenticationResponse } = await load();
    const verified = await verifyAuthenticationResponse({
      response: { ...answer, clientExtensionResults: {} },
      expectedChallenge: challenge,
      expectedOrigin: [...relyingParty.origins],
      expectedRPID: relyingParty.id,
      requireUserVerification: true,
      // The caller compares counters in the statement that stores them.
      credential: { id: answer.id, publicKey: bytes(publicKey), counter: 0 },
    }).catch(() => undefined);
    if (verified?.verified !== true) return undefined;
    const { newCounter, credentialBackedUp } = verified.authenticationInfo;
    return { counter: newCounter, isBackedUp: credentialBackedUp };
  },
};

/**
 * Options ask for no attestation. A statement with certificates is refused unread, because the library would request
 * the revocation lists that they name, at any address.
 */
async function hasNoCertificates(attestationObject: string): Promise<boolean> {
  const { decodeAttestationObject } = await loadHelpers();
  try {
    const decoded = decodeAttestationObject(bytes(attestationObject));
    const format = decoded.get("fmt");
    return (
      format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined)
    );
  } catch {
    return false;
  }
}

function bytes(base64url: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(base64url, "base64url"));
}
