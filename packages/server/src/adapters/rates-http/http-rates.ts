import { rateFromUnits } from "@ironlease/contract";
import { singleFlight } from "#kernel/concurrency/single-flight.ts";
import type { Clock } from "#ports/clock.ts";
import { SettlementUnavailable, type Asset, type Rate, type Rates } from "#ports/settlement.ts";
import { readPointer } from "./json-pointer.ts";
import { readQuote, type Quote, type Source } from "./read-quote.ts";

/** One JSON document that contains a price in USD. */
export interface RateEndpoint {
  readonly asset: Asset;
  /** https, or http on this machine. */
  readonly url: string;
  /** Leads to the price (JSON Pointer, RFC 6901). */
  readonly pointer: string;
}

export interface HttpRatesOptions {
  readonly endpoints: readonly RateEndpoint[];
  /** How many sources must agree. */
  readonly quorum: number;
  /** Sources agree when they are within this percentage of the median. */
  readonly spreadPercent: number;
  readonly maxAgeMs: number;
  readonly clock: Clock;
  /** How long a source may take. */
  readonly answerMs?: number;
}

type Terms = Required<Omit<HttpRatesOptions, "endpoints">>;

const minQuorum = 2;
const maxSourcesPerAsset = 10;
const defaultAnswerMs = 5_000;
/** How long a rate, or the lack of one, is kept before the sources are asked again. */
const keepMs = 30_000;
const keepFailureMs = 5_000;

/**
 * Rates from several independent JSON endpoints: the median of those that agree. Concurrent and repeated calls for an
 * asset share one round of requests. Throws when the options cannot work.
 */
export function createHttpRates(options: HttpRatesOptions): Rates {
  const terms: Terms = { answerMs: defaultAnswerMs, ...options };
  const sources = Map.groupBy(options.endpoints.map(readEndpoint), ({ asset }) => asset);
  if (terms.quorum < minQuorum) throw new Error(`quorum must be at least ${minQuorum}`);
  for (const [asset, its] of sources) checkSources(asset, its, terms.quorum);
  const readers = new Map(
    [...sources].map(([asset, its]) => [asset, reusing(() => readRate(asset, its, terms), terms)]),
  );
  return {
    maxAgeMs: terms.maxAgeMs,
    // A call may come during a round of requests and wait for the next one.
    answerMs: 3 * terms.answerMs,
    // Callers share the requests, so the signal of one of them must not abort the others.
    usdPerCoin: async (asset) => {
      const read = readers.get(asset);
      if (read === undefined) {
        throw new SettlementUnavailable(`no source of rates is configured for ${asset}`);
      }
      return read();
    },
  };
}

interface AssetSource extends Source {
  readonly asset: Asset;
}

const loopback: readonly string[] = ["127.0.0.1", "[::1]", "localhost"];

function readEndpoint({ asset, url: text, pointer }: RateEndpoint, index: number): AssetSource {
  const name = `endpoints[${index}]`;
  const url = URL.parse(text);
  const isPrivate =
    url?.protocol === "https:" || (url?.protocol === "http:" && loopback.includes(url.hostname));
  if (url === null || !isPrivate) {
    throw new Error(`${name}.url must be an https address, or http on a loopback address`);
  }
  if (url.username !== "" || url.password !== "") {
    throw new Error(`${name}.url must not contain a username or password`);
  }
  const tokens = readPointer(pointer);
  if (tokens === undefined) {
    throw new Error(`${name}.pointer must be a JSON Pointer such as /data/price`);
  }
  return { asset, url, pointer, tokens };
}

/** Two documents of one host are one source: they would lie together. */
function checkSources(asset: Asset, sources: readonly Source[], quorum: number): void {
  if (new Set(sources.map(({ url }) => url.host)).size < sources.length) {
    throw new Error(`endpoints of ${asset} must be on different hosts`);
  }
  if (sources.length < quorum || sources.length > maxSourcesPerAsset) {
    throw new Error(
      `endpoints must list ${quorum} to ${maxSourcesPerAsset} sources of ${asset}, but list ${sources.length}`,
    );
  }
}

interface Outcome {
  readonly result: Rate | SettlementUnavailable;
  readonly from: number;
  readonly until: number;
}

/** Keeps the last outcome for a while, and lets concurrent calls share one round of requests. */
function reusing(
  read: () => Promise<Rate | SettlementUnavailable>,
  { clock, maxAgeMs }: Terms,
): () => Promise<Rate> {
  let last: Outcome | undefined;
  const refresh = async (): Promise<Outcome> => {
    const result = await read();
    const from = clock.now();
    const isFailure = result instanceof SettlementUnavailable;
    const until = isFailure ? from + keepFailureMs : Math.min(from + keepMs, result.at + maxAgeMs);
    return { result, from, until };
  };
  return singleFlight(async () => {
    const now = clock.now();
    // The clock may also have been set back.
    const isKept = last !== undefined && last.from <= now && now < last.until;
    if (last === undefined || !isKept) last = await refresh();
    if (last.result instanceof SettlementUnavailable) throw last.result;
    return last.result;
  });
}

async function readRate(
  asset: Asset,
  sources: readonly Source[],
  terms: Terms,
): Promise<Rate | SettlementUnavailable> {
  const answers = await Promise.all(sources.map((source) => readQuote(source, terms)));
  const quotes = answers.filter((answer) => typeof answer !== "string");
  const { kept, outliers } = withoutOutliers(quotes, terms.spreadPercent);
  if (kept.length < terms.quorum) {
    const far = outliers.map(({ host }) => `${host} is too far from the median`);
    const failures = [...answers.filter((answer) => typeof answer === "string"), ...far];
    return new SettlementUnavailable(
      `the rate of ${asset} needs ${terms.quorum} sources that agree, but has ${kept.length}: ${failures.join(", ")}`,
    );
  }
  return {
    rate: rateFromUnits(median(kept)),
    at: Math.min(...kept.map(({ at }) => at)),
    sources: kept.map(({ host }) => host),
  };
}

const precision = 10_000;

function withoutOutliers(
  quotes: readonly Quote[],
  spreadPercent: number,
): { readonly kept: readonly Quote[]; readonly outliers: readonly Quote[] } {
  if (quotes.length === 0) return { kept: [], outliers: [] };
  const middle = median(quotes);
  const spread = (middle * BigInt(Math.round(spreadPercent * precision))) / BigInt(100 * precision);
  const isNear = ({ units }: Quote) => units >= middle - spread && units <= middle + spread;
  return {
    kept: quotes.filter(isNear),
    outliers: quotes.filter((quote) => !isNear(quote)),
  };
}

/**
 * Of an even number, the mean of the middle two: were it one of them, two sources that lie together could outvote two
 * honest ones.
 */
function median(quotes: readonly Quote[]): bigint {
  const sorted = quotes.map(({ units }) => units).toSorted((a, b) => (a < b ? -1 : 1));
  const middle = Math.floor(sorted.length / 2);
  const [upper = 0n, lower = 0n] = [sorted[middle], sorted[middle - 1]];
  return sorted.length % 2 === 1 ? upper : (lower + upper) / 2n;
}
