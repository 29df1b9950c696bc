import type { SignedKeyImages } from "./payout-wallet.ts";

/** What the offline wallet answered to `sign_transfer` and `export_key_images`. */
export interface SignerAnswer {
  readonly transactionId: string;
  readonly raw: string;
  /** The secret keys of the transaction, as hexadecimal text: one, and one per output where a subaddress is paid. */
  readonly transactionKeys: readonly string[];
  readonly signedKeyImages: SignedKeyImages;
}

const hashPattern = /^[0-9a-f]{64}$/;
const signaturePattern = /^[0-9a-f]{128}$/;
const hexPattern = /^(?:[0-9a-f]{2})+$/;
const keyDigits = 64;
const mostKeys = 17;

/** The answers as one JSON object, or what is wrong with it. */
export function readSignerAnswer(text: string): SignerAnswer | string {
  const fields = parse(text);
  if (fields === undefined) {
    return "must be one JSON object with the results of sign_transfer and export_key_images";
  }
  const [id, raw, keys] = ["tx_hash_list", "tx_raw_list", "tx_key_list"].map((name) =>
    onlyText(fields[name]),
  );
  if (id === undefined || !hashPattern.test(id)) return "must contain one id in tx_hash_list";
  if (raw === undefined || !hexPattern.test(raw)) {
    return "must contain one transaction in tx_raw_list: call sign_transfer with export_raw";
  }
  const transactionKeys = readTransactionKeys(keys ?? "");
  if (transactionKeys === undefined) {
    return "must contain its keys in tx_key_list: call sign_transfer with get_tx_keys";
  }
  const signedKeyImages = readKeyImages(fields);
  if (signedKeyImages === undefined) return "contains no valid list signed_key_images";
  return { transactionId: id, raw, transactionKeys, signedKeyImages };
}

/** The keys of a transaction as wallets write them: one after the other. */
export function readTransactionKeys(text: string): readonly string[] | undefined {
  const isWhole = hexPattern.test(text) && text.length % keyDigits === 0;
  if (!isWhole || text.length > mostKeys * keyDigits) return undefined;
  const starts = Array.from({ length: text.length / keyDigits }, (_, index) => index * keyDigits);
  return starts.map((start) => text.slice(start, start + keyDigits));
}

function parse(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch {
    return undefined;
  }
}

function onlyText(list: unknown): string | undefined {
  const [first, ...rest] = Array.isArray(list) ? (list as unknown[]) : [];
  return typeof first === "string" && rest.length === 0 ? first : undefined;
}

/** No list: the wallet knows them already. */
function readKeyImages(fields: Readonly<Record<string, unknown>>): SignedKeyImages | undefined {
  const { offset = 0, signed_key_images: list = [] } = fields;
  if (typeof offset !== "number" || !Number.isSafeInteger(offset) || offset < 0) return undefined;
  if (!Array.isArray(list)) return undefined;
  const images: { key_image: string; signature: string }[] = [];
  for (const row of list as unknown[]) {
    const { key_image: image, signature } = (row ?? {}) as Record<string, unknown>;
    if (typeof image !== "string" || !hashPattern.test(image)) return undefined;
    if (typeof signature !== "string" || !signaturePattern.test(signature)) return undefined;
    images.push({ key_image: image, signature });
  }
  return { offset, images };
}
