import { createCipheriv, createDecipheriv, hash, randomBytes } from "node:crypto";
import { UnknownSealingKey, type Sealing } from "#ports/sealing.ts";

const cipher = "aes-256-gcm";
const nonceBytes = 12;
const tagBytes = 16;

/** Unsealed secrets of earlier versions are base 32, so they contain no colon. */
const sealed = /^sealed:1:([\w-]{8}):([\w-]+)$/;

/**
 * AES-256-GCM from node:crypto. The first key seals and every key opens, so keys can be rotated without downtime.
 * Keys are read on first use.
 */
export function createSealing(readKeys: () => Promise<readonly Buffer[]>): Sealing {
  let reading: Promise<ReadonlyMap<string, Buffer>> | undefined;
  const keys = () => {
    reading ??= readKeys().then((all) => new Map(all.map((key) => [idOf(key), key])));
    // Retry on the next call: the problem may be fixed by then.
    reading.catch(() => (reading = undefined));
    return reading;
  };
  const current = async (): Promise<readonly [string, Buffer]> => {
    const [first] = await keys();
    if (first === undefined) throw new Error("there is no key to seal with");
    return first;
  };
  return {
    keyId: async () => (await current())[0],
    seal: async (text, context) => {
      const [id, key] = await current();
      return `sealed:1:${id}:${encrypt(key, text, context).toString("base64url")}`;
    },
    open: async (stored, context) => {
      const [, id, box] = sealed.exec(stored) ?? [];
      if (id === undefined || box === undefined) return stored;
      const key = (await keys()).get(id);
      if (key === undefined) throw new UnknownSealingKey(id);
      return decrypt(key, Buffer.from(box, "base64url"), context);
    },
    isCurrent: async (stored) => sealed.exec(stored)?.[1] === (await current())[0],
  };
}

/** Identifies the key without revealing it. */
function idOf(key: Buffer): string {
  return hash("sha256", Buffer.concat([Buffer.from("ironlease key id "), key]), "base64url").slice(
    0,
    8,
  );
}

function encrypt(key: Buffer, text: string, context: string): Buffer {
  const nonce = randomBytes(nonceBytes);
  const encryption = createCipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  encryption.setAAD(Buffer.from(context));
  const body = Buffer.concat([encryption.update(text, "utf8"), encryption.final()]);
  return Buffer.concat([nonce, body, encryption.getAuthTag()]);
}

/** Throws if the box was modified or sealed in another context. */
function decrypt(key: Buffer, box: Buffer, context: string): string {
  const nonce = box.subarray(0, nonceBytes);
  const decryption = createDecipheriv(cipher, key, nonce, { authTagLength: tagBytes });
  decryption.setAAD(Buffer.from(context));
  decryption.setAuthTag(box.subarray(-tagBytes));
  const body = decryption.update(box.subarray(nonceBytes, -tagBytes));
  return Buffer.concat([body, decryption.final()]).toString("utf8");
}
