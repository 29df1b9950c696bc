import type { SeededRandom } from "../seeded-random.ts";
import { removeHeader, setHeader, type Draft } from "../draft.ts";
import type { Mutation } from "./mutation.ts";

/** Wrong, ambiguous or duplicate framing. */
export const framingMutations: readonly Mutation[] = [
  framing("content-length", (length, random) =>
    random.pick([
      `${length - 1}`,
      `${length + 9}`,
      "-1",
      `+${length}`,
      `0${length}`,
      "0x2",
      "",
      "1e1",
      `${length}, ${length}`,
      "99999999999999999999",
      "9000000",
      "NaN",
    ]),
  ),
  framing("transfer-encoding", (_, random) =>
    random.pick([
      "chunked",
      "gzip, chunked",
      "chunked, chunked",
      "identity",
      "CHUNKED",
      "xchunked",
      "",
      "chunked;q=1",
    ]),
  ),
  {
    name: "content-length twice",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      const length = draft.body?.length ?? 0;
      draft.headers.push(["content-length", `${length}`]);
      draft.headers.push(["content-length", `${length + random.int(0, 1)}`]);
    },
  },
  {
    name: "content-length and chunked encoding together",
    apply: (draft) => {
      draft.mayEndConnection = true;
      draft.headers.push(["content-length", String(draft.body?.length ?? 0)]);
      draft.headers.push(["transfer-encoding", "chunked"]);
    },
  },
  {
    name: "another HTTP version",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      draft.version = random.pick([
        "HTTP/1.0",
        "HTTP/0.9",
        "HTTP/2.0",
        "HTTP/1.2",
        "http/1.1",
        "HTTP/1.1 ",
        "",
        "FTP/1.1",
      ]);
    },
  },
  {
    name: "an expect header",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      setHeader(
        draft,
        "expect",
        random.pick(["100-continue", "100-Continue", "miracles", "", "200-ok"]),
      );
    },
  },
  {
    name: "another connection header",
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      setHeader(
        draft,
        "connection",
        random.pick(["close", "keep-alive, close", "upgrade", "x", "host, cookie"]),
      );
      if (random.chance(0.5)) setHeader(draft, "upgrade", random.pick(["websocket", "h2c", "x"]));
    },
  },
];

function framing(
  name: string,
  valueFor: (length: number, random: SeededRandom) => string,
): Mutation {
  return {
    name: `another ${name}`,
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      removeHeader(draft, "content-length");
      draft.headers.push([name, valueFor(draft.body?.length ?? 0, random)]);
    },
  };
}

/** Send the same request in another way. */
export const deliveryMutations: readonly Mutation[] = [
  {
    name: "split writes",
    apply: (draft, random) => {
      draft.cuts = Array.from({ length: random.int(1, 5) }, () => random.int(0, 5_000));
    },
  },
  {
    name: "chunked encoding",
    apply: (draft, random) => inChunks(draft, random),
  },
];

function inChunks(draft: Draft, random: SeededRandom): void {
  const { body } = draft;
  if (body === undefined || body.length === 0 || draft.mayEndConnection) return;
  const size = random.int(1, body.length);
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    const extension = random.chance(0.2) ? ";x=y" : "";
    parts.push(
      Buffer.from(`${part.length.toString(16)}${extension}\r\n`),
      part,
      Buffer.from("\r\n"),
    );
  }
  parts.push(Buffer.from(random.chance(0.2) ? "0\r\nx-trailer: y\r\n\r\n" : "0\r\n\r\n"));
  draft.body = Buffer.concat(parts);
  draft.headers.push(["transfer-encoding", "chunked"]);
}
