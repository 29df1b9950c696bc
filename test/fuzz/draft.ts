import { operations, type Operation, type OperationId } from "@ironlease/contract";
import type { Actor } from "./actors.ts";

export type Header = readonly [name: string, value: string];

/** A request before it is sent: valid at first, then mutated. */
export interface Draft {
  readonly number: number;
  readonly operationId: OperationId;
  listener: "account" | "operator";
  /** The actor whose credentials the valid request has. */
  actor: Actor | undefined;
  method: string;
  /** Without the query. Each character stands for one byte, as in the headers. */
  path: string;
  query: string;
  version: string;
  headers: Header[];
  json: unknown;
  /** The encoded `json`, or undefined for no body. */
  body: Buffer | undefined;
  /** Whether the end of the request may be unclear to the service, or the service may close the connection. */
  mayEndConnection: boolean;
  /** Positions at which the bytes are split into several writes. */
  cuts: readonly number[];
  /** Changes the encoded request. */
  corrupt: ((bytes: Buffer) => Buffer) | undefined;
  readonly mutations: string[];
}

/** Encodes a request. Call it once, because mutations are random. Adds content-length unless framing is set. */
export function bytesOf(draft: Draft): Buffer {
  const { method, path, query, version, headers, body, corrupt } = draft;
  const isFramed = headers.some(([name]) => /^(?:content-length|transfer-encoding)$/i.test(name));
  const length: Header[] =
    body === undefined || isFramed ? [] : [["content-length", String(body.length)]];
  const lines = [...headers, ...length].map(([name, value]) => `${name}: ${value}`);
  const head = [`${method} ${path}${query} ${version}`, ...lines, "", ""].join("\r\n");
  const bytes = Buffer.concat([Buffer.from(head, "latin1"), body ?? Buffer.alloc(0)]);
  return corrupt === undefined ? bytes : corrupt(bytes);
}

/** Splits the bytes into the pieces to write. */
export function piecesOf(bytes: Buffer, { cuts }: Draft): Buffer[] {
  const positions = cuts.map((cut) => cut % Math.max(1, bytes.length));
  const edges = [0, ...positions.toSorted((a, b) => a - b), bytes.length];
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

/** The UTF-8 bytes of a text, one character per byte. */
export function asBytes(text: string): string {
  return Buffer.from(text).toString("latin1");
}

const table = (Object.entries(operations) as readonly [OperationId, Operation][]).map(
  ([id, { listener, method, path }]) => ({
    id,
    listener,
    method,
    expression: new RegExp(`^${path.replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
  }),
);

/** The operation that the request reaches, which may differ from the intended one after mutations. */
export function operationOf({ listener, method, path }: Draft): OperationId | undefined {
  const routedMethod = method === "HEAD" ? "GET" : method;
  const matches = (entry: (typeof table)[number]) =>
    entry.listener === listener && entry.method === routedMethod && entry.expression.test(path);
  return table.find(matches)?.id;
}
