import { rateUnits } from "@ironlease/contract";
import { withDeadline } from "#kernel/concurrency/deadline.ts";
import type { Clock } from "#ports/clock.ts";
import { valueAt } from "./json-pointer.ts";

const maxBytes = 64 * 1024;

/** Where one price of one asset is read. */
export interface Source {
  readonly url: URL;
  readonly pointer: string;
  /** The pointer's reference tokens. */
  readonly tokens: readonly string[];
}

/** A source's price, in 10^-18 USD. */
export interface Quote {
  readonly host: string;
  readonly units: bigint;
  readonly at: number;
}

export interface QuoteTerms {
  readonly clock: Clock;
  readonly answerMs: number;
  readonly maxAgeMs: number;
}

/** Why a source gave no price. The text never contains the URL, which may hold a key. */
class NoQuote extends Error {
  override readonly name = "NoQuote";
}

/** Reads one source, within limits of time and size. Failures are returned, so no source affects another. */
export async function readQuote(source: Source, terms: QuoteTerms): Promise<Quote | string> {
  const { host } = source.url;
  const onTimeout = () => new NoQuote(`did not answer within ${terms.answerMs} ms`);
  try {
    return await withDeadline(terms.answerMs, onTimeout, (signal) => ask(source, terms, signal));
  } catch (error) {
    return `${host} ${reasonOf(error)}`;
  }
}

async function ask(source: Source, terms: QuoteTerms, signal: AbortSignal): Promise<Quote> {
  const sentAt = terms.clock.now();
  const response = await fetch(source.url, {
    // A redirect could lead to another host or to an address inside the network.
    redirect: "manual",
    cache: "no-store",
    headers: { accept: "application/json" },
    signal,
  });
  if (response.status !== 200) {
    await response.body?.cancel();
    throw new NoQuote(`answered with HTTP status ${response.status}`);
  }
  const at = generatedAt(response.headers, sentAt, terms.clock.now());
  const units = priceIn(await readBody(response), source);
  const ageMs = terms.clock.now() - at;
  if (ageMs > terms.maxAgeMs) {
    throw new NoQuote(`gave an answer that is ${Math.round(ageMs / 1_000)} s old`);
  }
  return { host: source.url.host, units, at };
}

/** When the source generated the answer, if a cache kept it since (RFC 9111, section 4.2.3). */
function generatedAt(headers: Headers, sentAt: number, receivedAt: number): number {
  const age = headers.get("age") ?? "0";
  if (!/^\d{1,9}$/.test(age)) throw new NoQuote("sent an Age header that is not a number");
  const date = Date.parse(headers.get("date") ?? "");
  return Math.min(sentAt - Number(age) * 1_000, Number.isNaN(date) ? receivedAt : date);
}

/** Leaving the loop cancels the stream, so an endless body ends here. */
async function readBody({ body }: Response): Promise<string> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new NoQuote(`sent more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

function priceIn(body: string, { pointer, tokens }: Source): bigint {
  const price = valueAt(parseExactly(body), tokens);
  if (price === undefined) throw new NoQuote(`has no value at ${pointer}`);
  const units = typeof price === "string" ? rateUnits(price) : undefined;
  if (units === undefined) throw new NoQuote(`has no plain decimal above zero at ${pointer}`);
  return units;
}

type SourceText = { readonly source?: string };

/** Parses JSON with each number as the text in the document, so that `1e5` is not read as 100000. */
function parseExactly(body: string): unknown {
  const exact = (_: string, value: unknown, { source }: SourceText) =>
    typeof value === "number" ? source : value;
  try {
    return JSON.parse(body, exact as (key: string, value: unknown) => unknown);
  } catch {
    // Also a RangeError: documents may be nested too deeply.
    throw new NoQuote("did not answer with JSON");
  }
}

function reasonOf(error: unknown): string {
  if (error instanceof NoQuote) return error.message;
  if (!(error instanceof Error)) return "failed";
  const { cause } = error;
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : error.name;
  return `could not be reached (${code})`;
}
