import { constants, createPrivateKey, privateDecrypt } from "node:crypto";
import { armor, Decrypter, type Stanza } from "age-encryption";
import type { PrivateKey } from "./private-key.ts";
import { unwrapWithEd25519 } from "./ssh-ed25519.ts";
import { oaepLabel } from "./oaep-label.ts";
import { isSealable, tagOf } from "./ssh-key.ts";

export { readPrivateKey, UnusableKey, type PrivateKey } from "./private-key.ts";

/** Decrypts an armored age file with an SSH private key that no passphrase protects. Throws if it does not fit. */
export async function openText(armored: string, key: PrivateKey): Promise<string> {
  const decrypter = new Decrypter();
  decrypter.addIdentity({
    unwrapFileKey: (stanzas) => {
      const tag = tagOf(key.fingerprint);
      const own = stanzas.find(({ args }) => isSealable(args[0] ?? "") && args[1] === tag);
      return own === undefined ? null : unwrap(own, key);
    },
  });
  return decrypter.decrypt(armor.decode(armored), "text");
}

function unwrap(stanza: Stanza, { wire, secret }: PrivateKey): Uint8Array {
  if (secret === undefined) throw new TypeError("a passphrase protects the key");
  if (stanza.args[0] === "ssh-ed25519") {
    return unwrapWithEd25519(stanza, { wire, seed: Buffer.from(secret.d ?? "", "base64url") });
  }
  return privateDecrypt(
    {
      key: createPrivateKey({ key: secret, format: "jwk" }),
      padding: constants.RSA_PKCS1_OAEP_PADDING,
      oaepHash: "sha256",
      oaepLabel,
    },
    stanza.body,
  );
}
