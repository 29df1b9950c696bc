import type { ReadPayoutAnswer as Payout } from "@ironlease/client/operator";

interface NamedFile {
  readonly name: string;
  readonly type: string;
  readonly content: string | Uint8Array<ArrayBuffer>;
}

const psbtMagic = "psbt\u{ff}";

/** The unsigned transaction as the file that signers expect: binary for a PSBT, text otherwise. */
export function fileOf({
  id,
  format,
  unsigned,
}: Pick<Payout, "id" | "format" | "unsigned">): NamedFile {
  if (format !== "psbt") return { name: `${id}.txt`, type: "text/plain", content: unsigned };
  const content = Uint8Array.from(atob(unsigned), (character) => character.charCodeAt(0));
  return { name: `${id}.psbt`, type: "application/octet-stream", content };
}

/** What a signer saved, as the API takes it. A PSBT may be binary or base64. */
export async function signedText(file: Blob, format: Payout["format"]): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (format !== "psbt") return new TextDecoder().decode(bytes).trim();
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text.startsWith(psbtMagic) ? btoa(text) : text.trim();
}
