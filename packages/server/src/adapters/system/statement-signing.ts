import { createPrivateKey, createPublicKey, hash, sign, type KeyObject } from "node:crypto";
import type { StatementPublicKey, StatementSigning } from "#ports/statement-signing.ts";

/** What precedes the 32 bytes of an Ed25519 key in PKCS #8 (RFC 8410). */
const pkcs8Prefix = Buffer.from("302e020100300506032b657004220420", "hex");

/** Ed25519 from node:crypto. The first key signs. Keys are read on first use. */
export function createStatementSigning(
  readKeys: () => Promise<readonly Buffer[]>,
): StatementSigning {
  let reading: Promise<SigningKey> | undefined;
  const current = () => {
    reading ??= readKeys().then(signingKey);
    // Retry on the next call: the problem may be fixed by then.
    reading.catch(() => (reading = undefined));
    return reading;
  };
  return {
    publicKey: async () => (await current()).published,
    sign: async (text) =>
      sign(null, Buffer.from(text), (await current()).privateKey).toString("base64url"),
  };
}

interface SigningKey {
  readonly privateKey: KeyObject;
  readonly published: StatementPublicKey;
}

function signingKey([seed]: readonly Buffer[]): SigningKey {
  if (seed === undefined) throw new Error("there is no key to sign statements with");
  const der = Buffer.concat([pkcs8Prefix, seed]);
  const privateKey = createPrivateKey({ key: der, format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(privateKey).export({ format: "jwk" });
  const keyId = hash("sha256", Buffer.from(x, "base64url"), "base64url").slice(0, 16);
  return { privateKey, published: { keyId, x } };
}
