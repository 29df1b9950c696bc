import { base64, base64nopad } from "@scure/base";

/** One recipient of an age file: the words of its first line, and the wrapped file key. */
export interface RecipientStanza {
  readonly type: string;
  readonly words: readonly string[];
  readonly body: Uint8Array;
}

const firstLine = "-----BEGIN AGE ENCRYPTED FILE-----";
const lastLine = "-----END AGE ENCRYPTED FILE-----";
const version = "age-encryption.org/v1";

/** A full line of base64, of which the last one of a text is shorter. */
const lineLength = 64;
/** The payload's nonce and the tag of its last chunk. */
const shortestPayload = 16 + 16;
const macBytes = 32;

/**
 * Reads the recipients of an armored age file. Undefined when it is no such file. Nothing here needs a key, so a
 * service that only passes files on can check them. Only the recipient can check the header's MAC.
 */
export function readRecipients(armored: string): readonly RecipientStanza[] | undefined {
  try {
    const file = readArmor(armored);
    return file === undefined ? undefined : readHeader(file);
  } catch {
    // The decoder throws on characters and paddings that no encoder writes.
    return undefined;
  }
}

function readArmor(armored: string): Uint8Array | undefined {
  const lines = armored.replace(/\n$/, "").split("\n");
  if (lines.shift() !== firstLine || lines.pop() !== lastLine) return undefined;
  const isFull = lines.slice(0, -1).every(({ length }) => length === lineLength);
  const last = lines.at(-1) ?? "";
  if (!isFull || last.length === 0 || last.length > lineLength) return undefined;
  return base64.decode(lines.join(""));
}

function readHeader(file: Uint8Array): readonly RecipientStanza[] | undefined {
  const lines = new TextDecoder("latin1").decode(file).split("\n");
  let next = 0;
  const take = () => lines[next++] ?? "";
  if (take() !== version) return undefined;
  const stanzas: RecipientStanza[] = [];
  let line = take();
  while (line.startsWith("-> ")) {
    const words = line.split(" ").slice(1);
    if (!words.every((word) => /^[\x21-\x7e]+$/.test(word))) return undefined;
    let body = "";
    do {
      line = take();
      body += line;
    } while (line.length === lineLength);
    if (line.length > lineLength) return undefined;
    const [type = ""] = words;
    stanzas.push({ type, words: words.slice(1), body: base64nopad.decode(body) });
    line = take();
  }
  const [mark, mac = ""] = line.split(" ");
  if (mark !== "---" || line !== `--- ${mac}`) return undefined;
  if (base64nopad.decode(mac).length !== macBytes) return undefined;
  const header = lines.slice(0, next).join("\n").length + 1;
  return file.length - header >= shortestPayload ? stanzas : undefined;
}
