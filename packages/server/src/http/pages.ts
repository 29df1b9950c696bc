import type { Result } from "../ports/result.ts";

/** Something for people to look at: no operation of the API, so only framing and Host are checked. */
export interface Page extends PageAnswer {
  readonly method: "GET";
  readonly path: string;
}

/** The same, but made for each request; a refusal has the shape that every refusal has. */
export interface LivePage {
  readonly method: "GET";
  readonly path: string;
  answer(): Promise<Result<PageAnswer>>;
}

export interface PageAnswer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export type AnyPage = Page | LivePage;
