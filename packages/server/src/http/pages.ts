import type { IncomingMessage } from "node:http";
import type { Result } from "#ports/result.ts";

/** A page for people, not an operation of the API. Only framing and Host are checked. */
export interface Page extends PageAnswer {
  readonly method: "GET";
  /** May contain parameters in braces. Their values do not change the answer. */
  readonly path: string;
  /** Whether a browser that opens an unknown URL gets this page, with status 404. Its script then says so. */
  readonly isFallback?: true;
}

/** A page that is generated for each request. A refusal has the shape of every API error. */
export interface LivePage {
  readonly method: "GET";
  readonly path: string;
  /** `origin` is the origin to which the client sent the request. */
  answer(origin: string): Promise<Result<PageAnswer>>;
}

export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The compressed body by content coding. The client gets the best one that it accepts. */
  readonly encoded?: ReadonlyMap<string, Buffer>;
}

const codingsByPreference = ["br", "gzip"] as const;

/** The best compressed body that Accept-Encoding allows, or undefined if it allows none. */
export function encodingFor(
  { encoded }: Pick<Page, "encoded">,
  acceptEncoding: string | string[] | undefined,
): { readonly coding: string; readonly body: Buffer } | undefined {
  if (encoded === undefined || acceptEncoding === undefined) return undefined;
  const accepted = new Set(
    String(acceptEncoding)
      .split(",")
      .map((part) =>
        part
          .toLowerCase()
          .split(";", 2)
          .map((word) => word.trim()),
      )
      .filter(([, weight = "q=1"]) => !/^q=0(?:\.0*)?$/.test(weight))
      .map(([coding]) => coding),
  );
  for (const coding of codingsByPreference) {
    const body = accepted.has(coding) ? encoded.get(coding) : undefined;
    if (body !== undefined) return { coding, body };
  }
  return undefined;
}

export type AnyPage = Page | LivePage;

/**
 * Whether the request is a browser's navigation, for which an unknown URL answers with a page. Below the paths of the
 * API, everyone gets the API's error.
 */
export function isNavigation({ method, url, headers }: IncomingMessage): boolean {
  if (method !== "GET" && method !== "HEAD") return false;
  if (/^\/(?:api|operator)(?:[/?]|$)/.test(url ?? "")) return false;
  const types = (headers.accept ?? "")
    .split(",")
    .map((range) => range.split(";")[0]?.trim().toLowerCase());
  return types.includes("text/html") && !types.includes("application/json");
}
