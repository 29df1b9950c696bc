import { operations, type Operation, type OperationId } from "@ironlease/contract";
import type { Actor } from "./actors.ts";

export type Header = readonly [name: string, value: string];

/** A request on its way to the wire: right at first, then with whatever is done to it. */
export interface Draft {
  readonly number: number;
  readonly operationId: OperationId;
  listener: "account" | "operator";
  /** Whose credentials were put on it at first. */
  actor: Actor | undefined;
  method: string;
  /** As it is sent, without the query. A character is a byte, here and in the headers. */
  path: string;
  query: string;
  version: string;
  headers: Header[];
  json: unknown;
  /** What `json` was turned into; undefined for no body. */
  body: Buffer | undefined;
  /** Whether the service may be at a loss about where the request ends, or end the connection. */
  isOdd: boolean;
  /** How the bytes are cut when they are sent. */
  cuts: readonly number[];
  /** Done to the whole of the bytes in the end. */
  garble: ((bytes: Buffer) => Buffer) | undefined;
  readonly mutations: string[];
}

/** The bytes of a request, made once: what is done to them is left to chance. The length of the body is told unless something else was said about it. */
export function bytesOf(draft: Draft): Buffer {
  const { method, path, query, version, headers, body, garble } = draft;
  const isFramed = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const length: Header[] =
    body === undefined || isFramed ? [] : [["content-length", String(body.length)]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path}${query} ${version}`, ...lines, "", ""].join("\r\n");
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]);
  return garble === undefined ? bytes : garble(bytes);
}

/** The bytes in the pieces in which they are sent. */
export function piecesOf(bytes: Buffer, { cuts }: Draft): Buffer[] {
  const places = cuts.map((cut) => cut % Math.max(1, bytes.length));
  const edges = [0, ...places.toSorted((a, b) => a - b), bytes.length];
  return edges
    .slice(1)
    .map((end, index) => bytes.subarray(edges[index], end))
    .filter((piece) => piece.length > 0);
}

export function setHeader(draft: Draft, name: string, value: string): void {
  removeHeader(draft, name);
  draft.headers.push([name, value]);
}

export function removeHeader(draft: Draft, name: string): void {
  draft.headers = draft.headers.filter(([known]) => known.toLowerCase() !== name);
}

export function headerIn({ headers }: Draft, name: string): string | undefined {
  return headers.find(([known]) => known.toLowerCase() === name)?.[1];
}

/** Text as the bytes of its UTF-8, a character each. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

const table = (Object.entries(operations) as readonly [OperationId, Operation][]).map(
  ([id, { listener, method, path }]) => ({
    ...{ id, listener, method },
    expression: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
  }),
);

/** Where a request leads, which need not be where it was meant to; undefined for nowhere. */
export function operationOf({ listener, method, path }: Draft): OperationId | undefined {
  const wanted = method === "HEAD" ? "GET" : method;
  const isIt = (entry: (typeof table)[number]) =>
    entry.listener === listener && entry.method === wanted && entry.expression.test(path);
  return table.find(isIt)?.id;
}
