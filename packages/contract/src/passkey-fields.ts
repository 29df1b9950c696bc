import { Type } from "typebox";
import { limits } from "./limits.ts";
import { id, nullableTime, text, time, words } from "./schemas.ts";

/** The fields of WebAuthn (https://www.w3.org/TR/webauthn-3) that customers and operators share. */

export const passkey = Type.Object(
  {
    id: id("passkey"),
    name: Type.String({ examples: ["Work laptop"] }),
    createdAt: time,
    lastUsedAt: Type.Unsafe<string | null>({
      ...nullableTime,
      description: "When it last signed in. Null if never.",
    }),
  },
  { title: "Passkey" },
);

const example = "dGhpcyBpcyBhbiBleGFtcGxl";

const challenge = text(
  "Random bytes in base64url. They work once, within 5 minutes.",
  "3q2-7wAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
);
const rpId = text("The host name of the service. Passkeys work only there.", "rent.example");
const timeout = Type.Integer({ description: "Milliseconds.", examples: [300_000] });
const keyType = words(["public-key"]);
const verified = words(["required"]);

/** Answers of the two `begin` operations, for `navigator.credentials`. */
export const creationOptions = Type.Object(
  {
    rp: Type.Object(
      { id: rpId, name: Type.String({ examples: ["Ironlease"] }) },
      { title: "PasskeyRelyingParty" },
    ),
    user: Type.Object(
      {
        id: text("The user handle, in base64url.", example),
        name: Type.String({ examples: ["alice"] }),
        displayName: Type.String({ examples: ["alice"] }),
      },
      { title: "PasskeyUser" },
    ),
    challenge,
    pubKeyCredParams: Type.Array(
      Type.Object(
        { type: keyType, alg: Type.Integer({ examples: [-7] }) },
        { title: "PasskeyAlgorithm" },
      ),
      { description: "ES256 (-7), EdDSA (-8) and RS256 (-257)." },
    ),
    timeout,
    excludeCredentials: Type.Array(
      Type.Object(
        {
          id: Type.String({ examples: [example] }),
          type: keyType,
          transports: Type.Array(Type.String({ examples: ["internal"] })),
        },
        { title: "PasskeyDescriptor" },
      ),
      { description: "The passkeys that exist already." },
    ),
    authenticatorSelection: Type.Object(
      {
        residentKey: verified,
        requireResidentKey: Type.Boolean(),
        userVerification: verified,
      },
      { title: "PasskeyAuthenticatorSelection" },
    ),
    attestation: words(["none"]),
  },
  { title: "PasskeyCreationOptions", description: "`PublicKeyCredentialCreationOptionsJSON`." },
);

export const requestOptions = Type.Object(
  { challenge, rpId, timeout, userVerification: verified },
  { title: "PasskeyRequestOptions", description: "`PublicKeyCredentialRequestOptionsJSON`." },
);

const base64url = (max: number) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    pattern: "^[A-Za-z0-9_-]+$",
    message: `must be base64url with at most ${max} characters`,
    examples: [example],
  });

const { credentialId, clientData, attestation, authenticatorData, signature, userHandle } =
  limits.passkey;

/** Browsers add fields of later versions of WebAuthn, so unknown ones are ignored. */
const identified = {
  id: base64url(credentialId),
  rawId: base64url(credentialId),
  type: Type.Unsafe<"public-key">({ ...keyType, message: "must be public-key" }),
};

const transports = { maxItems: 10, message: "must have at most 10 transports" };
const transport = Type.String({
  maxLength: 32,
  pattern: "^[a-z-]+$",
  message: "must be a transport",
  examples: ["internal"],
});

/** Requests of the two `finish` operations: what the browser answers, as `toJSON()` writes it. */
const newCredential = Type.Object(
  {
    ...identified,
    response: Type.Object(
      {
        clientDataJSON: base64url(clientData),
        attestationObject: base64url(attestation),
        transports: Type.Optional(Type.Array(transport, transports)),
      },
      { title: "NewPasskeyResponse" },
    ),
  },
  {
    title: "NewPasskeyCredential",
    description: "`RegistrationResponseJSON`.",
    message: "must be a public key credential",
  },
);

const assertion = Type.Object(
  {
    ...identified,
    response: Type.Object(
      {
        clientDataJSON: base64url(clientData),
        authenticatorData: base64url(authenticatorData),
        signature: base64url(signature),
        userHandle: base64url(userHandle),
      },
      { title: "PasskeyAssertionResponse" },
    ),
  },
  {
    title: "PasskeyAssertion",
    description: "`AuthenticationResponseJSON`.",
    message: "must be a public key credential",
  },
);

export const passkeyBody = Type.Object(
  {
    name: Type.String({
      minLength: limits.keyName.min,
      maxLength: limits.keyName.max,
      description: "Your own name for it.",
      message: `must be ${limits.keyName.min} to ${limits.keyName.max} characters`,
      examples: ["Work laptop"],
    }),
    credential: newCredential,
  },
  { additionalProperties: false },
);

export const assertionBody = Type.Object(
  { credential: assertion },
  { additionalProperties: false },
);
