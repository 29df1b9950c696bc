import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";

/** An authenticator in software: it answers options as a browser with a passkey would, or wrongly in a given way. */

type Algorithm = "ES256" | "EdDSA" | "RS256";

export interface CreationOptions {
  readonly rp: { readonly id: string };
  readonly user: { readonly id: string };
  readonly challenge: string;
}

export interface RequestOptions {
  readonly rpId: string;
  readonly challenge: string;
}

/** What to do differently from a well-behaved browser and authenticator. */
export interface Fault {
  readonly origin?: string;
  readonly rpId?: string;
  readonly challenge?: string;
  readonly type?: string;
  readonly isVerified?: boolean;
  readonly counter?: number;
  readonly userHandle?: string;
  readonly signature?: Buffer;
  readonly attestation?: { readonly fmt: string; readonly attStmt: Cbor };
}

export class Authenticator {
  readonly #origin: string;
  readonly #algorithm: Algorithm;
  readonly #keys: { readonly privateKey: KeyObject; readonly publicKey: KeyObject };
  readonly credentialId = randomBytes(32).toString("base64url");
  #userHandle = "";
  counter = 0;

  constructor(origin: string, algorithm: Algorithm = "ES256") {
    this.#origin = origin;
    this.#algorithm = algorithm;
    this.#keys = generate(algorithm);
  }

  /** The answer to `navigator.credentials.create()`, as `toJSON()` writes it. */
  create(options: CreationOptions, fault: Fault = {}) {
    this.#userHandle = options.user.id;
    const id = Buffer.from(this.credentialId, "base64url");
    const attested = Buffer.concat([
      Buffer.alloc(16),
      Buffer.from([id.length >> 8, id.length & 0xff]),
      id,
      encode(coseKey(this.#algorithm, this.#keys.publicKey)),
    ]);
    const authData = this.#authenticatorData(options.rp.id, { attested, ...fault });
    const { fmt, attStmt } = fault.attestation ?? { fmt: "none", attStmt: new Map() };
    const attestationObject = encode(
      new Map<Cbor, Cbor>([
        ["fmt", fmt],
        ["attStmt", attStmt],
        ["authData", authData],
      ]),
    );
    return {
      ...this.#identified(),
      response: {
        clientDataJSON: this.#clientData("webauthn.create", options.challenge, fault),
        attestationObject: attestationObject.toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** The answer to `navigator.credentials.get()`. */
  get(options: RequestOptions, fault: Fault = {}) {
    const authData = this.#authenticatorData(options.rpId, fault);
    const clientDataJSON = this.#clientData("webauthn.get", options.challenge, fault);
    const hashed = createHash("sha256").update(Buffer.from(clientDataJSON, "base64url")).digest();
    const signed = Buffer.concat([authData, hashed]);
    const digest = this.#algorithm === "EdDSA" ? null : "sha256";
    const signature = fault.signature ?? sign(digest, signed, this.#keys.privateKey);
    return {
      ...this.#identified(),
      response: {
        clientDataJSON,
        authenticatorData: authData.toString("base64url"),
        signature: signature.toString("base64url"),
        userHandle: fault.userHandle ?? this.#userHandle,
      },
    };
  }

  #identified() {
    const { credentialId: id } = this;
    return { id, rawId: id, type: "public-key", clientExtensionResults: {} } as const;
  }

  #clientData(type: string, challenge: string, fault: Fault): string {
    const { origin = this.#origin } = fault;
    const data = { type: fault.type ?? type, challenge: fault.challenge ?? challenge, origin };
    return Buffer.from(JSON.stringify(data)).toString("base64url");
  }

  #authenticatorData(rpId: string, fault: Fault & { readonly attested?: Buffer }): Buffer {
    const { attested = Buffer.alloc(0), isVerified = true } = fault;
    const flags = 0x01 | (isVerified ? 0x04 : 0) | (attested.length > 0 ? 0x40 : 0);
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(fault.counter ?? this.counter);
    const rpIdHash = createHash("sha256")
      .update(fault.rpId ?? rpId)
      .digest();
    return Buffer.concat([rpIdHash, Buffer.from([flags]), counter, attested]);
  }
}

function generate(algorithm: Algorithm) {
  if (algorithm === "ES256") return generateKeyPairSync("ec", { namedCurve: "P-256" });
  if (algorithm === "EdDSA") return generateKeyPairSync("ed25519");
  return generateKeyPairSync("rsa", { modulusLength: 2048 });
}

/** RFC 9052, RFC 9053 and RFC 8230. */
function coseKey(algorithm: Algorithm, publicKey: KeyObject): Cbor {
  const { x = "", y = "", n = "", e = "" } = publicKey.export({ format: "jwk" });
  const bytes = (text: string) => Buffer.from(text, "base64url");
  const entries: Readonly<Record<Algorithm, readonly (readonly [number, Cbor])[]>> = {
    ES256: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, bytes(x)],
      [-3, bytes(y)],
    ],
    EdDSA: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, bytes(x)],
    ],
    RS256: [
      [1, 3],
      [3, -257],
      [-1, bytes(n)],
      [-2, bytes(e)],
    ],
  };
  return new Map<Cbor, Cbor>(entries[algorithm]);
}

export type Cbor = number | string | Buffer | readonly Cbor[] | ReadonlyMap<Cbor, Cbor>;

/** The part of CBOR (RFC 8949) that attestations need. */
function encode(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === "string") {
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  }
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  if (value instanceof Map) {
    const pairs = [...value].map(([key, item]) => Buffer.concat([encode(key), encode(item)]));
    return Buffer.concat([head(5, pairs.length), ...pairs]);
  }
  const items = value as readonly Cbor[];
  return Buffer.concat([head(4, items.length), ...items.map(encode)]);
}

function head(major: number, argument: number): Buffer {
  if (argument < 24) return Buffer.from([(major << 5) | argument]);
  if (argument < 0x100) return Buffer.from([(major << 5) | 24, argument]);
  return Buffer.from([(major << 5) | 25, argument >> 8, argument & 0xff]);
}
