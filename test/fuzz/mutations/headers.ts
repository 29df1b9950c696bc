import { removeHeader, setHeader, type Header } from "../draft.ts";
import { hostileTexts, inserted, headerText, positionIn, type Mutation } from "./mutation.ts";

/** Sets a header to one of several values. */
const value = (name: string, ...values: readonly [string, ...string[]]): Mutation => ({
  name: `another ${name}`,
  apply: (draft, random) => setHeader(draft, name, random.pick(values)),
});

export const headerMutations: readonly Mutation[] = [
  {
    name: "a missing header",
    apply: (draft, random) => {
      const [name] = random.pick(draft.headers) ?? ["host"];
      removeHeader(draft, name.toLowerCase());
    },
  },
  {
    name: "a repeated header",
    apply: (draft, random) => {
      const chosen = random.pick(draft.headers);
      if (chosen !== undefined) draft.headers.push(chosen);
    },
  },
  {
    name: "hostile text in a header",
    apply: (draft, random) => {
      const [name] = random.pick(draft.headers) ?? ["x"];
      setHeader(draft, name.toLowerCase(), headerText(random.pick(hostileTexts)));
    },
  },
  {
    name: "unusual bytes in a header",
    apply: (draft, random) => {
      const chosen = random.pick(draft.headers);
      if (chosen === undefined) return;
      const [name, old] = chosen;
      const insertion = random.pick(["\x80\xff", "\t", '"', ",", ";", "=", "\xc3\x28"]);
      setHeader(draft, name.toLowerCase(), inserted(old, positionIn(random, old), insertion));
    },
  },
  {
    name: "large headers",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      draft.headers.push([
        "x-large",
        "y".repeat(random.pick([8_000, 15_000, 17_000, 70_000, 300_000])),
      ]);
    },
  },
  {
    name: "many headers",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      const more: Header[] = Array.from({ length: random.pick([100, 900, 2_500]) }, (_, at) => [
        `x-${at}`,
        "y",
      ]);
      draft.headers = random.chance(0.5)
        ? [...more, ...draft.headers]
        : [...draft.headers, ...more];
    },
  },
  value(
    "content-type",
    "text/plain",
    "application/json; charset=utf-16",
    "application/json;charset=utf-8",
    "APPLICATION/JSON",
    "",
    "application/json, text/html",
    "multipart/form-data; boundary=x",
  ),
  value("content-encoding", "gzip", "identity", "br, gzip", "IDENTITY", "x"),
  value("accept-encoding", "gzip", "br;q=0", "*", "\xff"),
  value("accept", "text/csv", "text/*;q=x, */*;q=0", ";q=,,", "\xff"),
  value(
    "host",
    "evil.example",
    "localhost",
    "127.0.0.1:1",
    "",
    "a,b",
    "localhost:99999",
    "[::1",
    "\xff",
  ),
  value(
    "origin",
    "https://evil.example",
    "null",
    "",
    "https://localhost",
    "\xff",
    "https://localhost:1",
  ),
  value("sec-fetch-site", "cross-site", "same-origin", "none", "CROSS-SITE", "x"),
  value(
    "x-forwarded-for",
    "1.2.3.4, 5.6.7.8",
    "::ffff:1.2.3.4",
    "[2001:db8::1]:99",
    "999.1.1.1",
    "unknown",
    ",".repeat(500),
    "010.0.0.1",
    "fe80::1%eth0",
    "",
  ),
  value("forwarded", "for=evil;host=evil.example;proto=http", "for="),
  value("x-forwarded-host", "evil.example"),
  value("if-match", "*", '"0"', 'W/"1"', '"1", "2"', "1", '"', ",", '"999999999999999999"'),
  value("if-none-match", "*", '"1"'),
  value("range", "bytes=0-1", "bytes=-"),
  value("user-agent", "x".repeat(2_000), "\xff\xfe", "'; drop table sessions; --"),
  value("x-http-method-override", "DELETE"),
  value("te", "trailers", "gzip"),
];
