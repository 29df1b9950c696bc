/** Something for people to look at: no operation of the API, so only framing and Host are checked. */
export interface Page {
  readonly method: "GET";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}
