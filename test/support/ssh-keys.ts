import { generateKeyPairSync, type KeyObject } from "node:crypto";

export interface NewSshKey {
  /** One line in OpenSSH format. */
  readonly publicKey: string;
  /** In PEM. */
  readonly privateKey: string;
}

/** An SSH key pair without ssh-keygen. */
export function newSshKey(kind: "ed25519" | "rsa" | "ecdsa" = "ed25519"): NewSshKey {
  const { publicKey, privateKey } = newPair(kind);
  const { x = "", y = "", n = "", e = "" } = publicKey.export({ format: "jwk" });
  const [type, ...fields] = {
    ed25519: ["ssh-ed25519", bytes(x)],
    rsa: ["ssh-rsa", bytes(e), Buffer.concat([Buffer.from([0]), bytes(n)])],
    ecdsa: [
      "ecdsa-sha2-nistp256",
      "nistp256",
      Buffer.concat([Buffer.from([4]), bytes(x), bytes(y)]),
    ],
  }[kind] as [string, ...(string | Buffer)[]];
  const wire = Buffer.concat([type, ...fields].map(prefixed)).toString("base64");
  const pem = privateKey.export({ format: "pem", type: "pkcs8" });
  return { publicKey: `${type} ${wire}`, privateKey: pem };
}

function newPair(kind: "ed25519" | "rsa" | "ecdsa"): {
  readonly publicKey: KeyObject;
  readonly privateKey: KeyObject;
} {
  if (kind === "ed25519") return generateKeyPairSync("ed25519");
  if (kind === "ecdsa") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  return generateKeyPairSync("rsa", { modulusLength: 2_048 });
}

function bytes(base64url: string): Buffer {
  return Buffer.from(base64url, "base64url");
}

function prefixed(field: string | Buffer): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32BE(field.length);
  return Buffer.concat([length, Buffer.from(field)]);
}
