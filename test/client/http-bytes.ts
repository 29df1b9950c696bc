import type { Duplex } from "node:stream";

/** The parts of a message in which a fault can occur. */
export const places = [
  "before the first byte",
  "inside the first line",
  "inside the headers",
  "between headers and body",
  "inside the body",
  "before the last byte",
  "after the last byte",
] as const;
export type Place = (typeof places)[number];

/** A byte offset in that part of the message. `pick`, from 0 to 1, selects the byte. */
export function offsetIn(message: Buffer, place: Place, pick: number): number {
  const firstLineEnd = message.indexOf("\r\n");
  const headEnd = headEndOf(message);
  const within = (from: number, to: number) => from + Math.floor(pick * Math.max(0, to - from));
  switch (place) {
    case "before the first byte":
      return 0;
    case "inside the first line":
      return within(1, firstLineEnd);
    case "inside the headers":
      return within(firstLineEnd, headEnd - 4);
    case "between headers and body":
      return within(headEnd - 4, headEnd + 1);
    case "inside the body":
      return within(headEnd, message.length);
    case "before the last byte":
      return message.length - 1;
    case "after the last byte":
      return message.length;
  }
}

/** Yields each complete message that arrives on a connection. */
export async function* messagesOf(stream: Duplex): AsyncGenerator<Buffer> {
  let bytes = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    bytes = Buffer.concat([bytes, chunk]);
    for (let length = lengthOf(bytes); length !== undefined; length = lengthOf(bytes)) {
      yield bytes.subarray(0, length);
      bytes = bytes.subarray(length);
    }
  }
}

/** The length of the first message; undefined while it is incomplete. */
function lengthOf(bytes: Buffer): number | undefined {
  const headEnd = headEndOf(bytes);
  if (headEnd < 4) return undefined;
  const head = bytes.toString("latin1", 0, headEnd);
  const length = headEnd + Number(/\ncontent-length: (\d+)/i.exec(head)?.[1] ?? 0);
  return bytes.length < length ? undefined : length;
}

function headEndOf(bytes: Buffer): number {
  return bytes.indexOf("\r\n\r\n") + 4;
}

export function headerOf(message: Buffer, name: string): string | undefined {
  const head = message.toString("latin1", 0, headEndOf(message));
  return new RegExp(`\\n${name}: (.*)\\r`, "i").exec(head)?.[1];
}
