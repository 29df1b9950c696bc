import type { Result } from "#ports/result.ts";

/** Something for people to look at: no operation of the API, so only framing and Host are checked. */
export interface Page extends PageAnswer {
  readonly method: "GET";
  /** May have parameters in braces: what they are makes no difference to the answer. */
  readonly path: string;
}

/** The same, but made for each request; a refusal has the shape that every refusal has. */
export interface LivePage {
  readonly method: "GET";
  readonly path: string;
  /** `origin` is the address that the request was sent to. */
  answer(origin: string): Promise<Result<PageAnswer>>;
}

export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
  /** The same body compressed, by content coding; the best that the reader takes is sent. */
  readonly encoded?: ReadonlyMap<string, Buffer>;
}

/** Better ones first. */
const codings = ["br", "gzip"] as const;

/** The compressed body that a reader takes, by what its Accept-Encoding says; undefined for none. */
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
  for (const coding of codings) {
    const body = accepted.has(coding) ? encoded.get(coding) : undefined;
    if (body !== undefined) return { coding, body };
  }
  return undefined;
}

export type AnyPage = Page | LivePage;
