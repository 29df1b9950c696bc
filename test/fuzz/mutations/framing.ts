import type { Dice } from "../dice.ts";
import { removeHeader, setHeader, type Draft } from "../draft.ts";
import type { Mutation } from "./mutation.ts";

/** What says where a request ends, saying it wrong or twice. */
export const framingMutations: readonly Mutation[] = [
  framing("content-length", (length, dice) =>
    dice.pick([
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
  framing("transfer-encoding", (_, dice) =>
    dice.pick([
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
    apply: (draft, dice) => {
      draft.isOdd = true;
      const length = draft.body?.length ?? 0;
      draft.headers.push(["content-length", `${length}`]);
      draft.headers.push(["content-length", `${length + dice.int(0, 1)}`]);
    },
  },
  {
    name: "length and chunks at once",
    apply: (draft) => {
      draft.isOdd = true;
      draft.headers.push(["content-length", String(draft.body?.length ?? 0)]);
      draft.headers.push(["transfer-encoding", "chunked"]);
    },
  },
  {
    name: "another version",
    apply: (draft, dice) => {
      draft.isOdd = true;
      draft.version = dice.pick([
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
    name: "an expectation",
    apply: (draft, dice) => {
      draft.isOdd = true;
      setHeader(
        draft,
        "expect",
        dice.pick(["100-continue", "100-Continue", "miracles", "", "200-ok"]),
      );
    },
  },
  {
    name: "another connection header",
    apply: (draft, dice) => {
      draft.isOdd = true;
      setHeader(
        draft,
        "connection",
        dice.pick(["close", "keep-alive, close", "upgrade", "x", "host, cookie"]),
      );
      if (dice.chance(0.5)) setHeader(draft, "upgrade", dice.pick(["websocket", "h2c", "x"]));
    },
  },
];

function framing(name: string, say: (length: number, dice: Dice) => string): Mutation {
  return {
    name: `another ${name}`,
    apply: (draft, dice) => {
      draft.isOdd = true;
      removeHeader(draft, "content-length");
      draft.headers.push([name, say(draft.body?.length ?? 0, dice)]);
    },
  };
}

/** Sent in another way, and still the same request. */
export const deliveryMutations: readonly Mutation[] = [
  {
    name: "in pieces",
    apply: (draft, dice) => {
      draft.cuts = Array.from({ length: dice.int(1, 5) }, () => dice.int(0, 5_000));
    },
  },
  {
    name: "in chunks",
    apply: (draft, dice) => inChunks(draft, dice),
  },
];

function inChunks(draft: Draft, dice: Dice): void {
  const { body } = draft;
  if (body === undefined || body.length === 0 || draft.isOdd) return;
  const size = dice.int(1, body.length);
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    const extension = dice.chance(0.2) ? ";x=y" : "";
    parts.push(
      Buffer.from(`${part.length.toString(16)}${extension}\r\n`),
      part,
      Buffer.from("\r\n"),
    );
  }
  parts.push(Buffer.from(dice.chance(0.2) ? "0\r\nx-trailer: y\r\n\r\n" : "0\r\n\r\n"));
  draft.body = Buffer.concat(parts);
  draft.headers.push(["transfer-encoding", "chunked"]);
}
