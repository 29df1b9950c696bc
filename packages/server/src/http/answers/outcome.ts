import type { Refusal } from "#ports/result.ts";
import type { Streamed } from "#http/bind.ts";
import type { PageAnswer } from "#http/pages.ts";

/** How a request ends. The server computes one outcome and sends it in one place. */
export type Outcome = Answered | StreamedAnswer | Refused | Shown;

/** An answer of the API. */
export interface Answered {
  readonly kind: "answer";
  readonly status: number;
  /** The serialized body, or undefined without one. */
  readonly text: string | undefined;
  /** Alternating names and values, added to the common headers. */
  readonly headers: readonly string[];
}

/** An answer whose body is sent while it is read. */
export interface StreamedAnswer extends Streamed {
  readonly kind: "stream";
  readonly status: number;
}

export interface Refused {
  readonly kind: "refusal";
  readonly refusal: Refusal;
}

export interface Shown {
  readonly kind: "page";
  readonly status: 200 | 404;
  readonly page: PageAnswer;
}

export function refused(refusal: Refusal): Refused {
  return { kind: "refusal", refusal };
}
