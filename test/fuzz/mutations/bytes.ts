import type { Dice } from "../dice.ts";
import { setHeader } from "../draft.ts";
import { placeIn, type Mutation } from "./mutation.ts";

/** One of the things that happen to bytes. */
function garbled(bytes: Buffer, dice: Dice): Buffer {
  const at = placeIn(dice, bytes);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const length = dice.int(1, 8);
  const odd = dice.pick([
    Buffer.from([0xff]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0]),
    Buffer.from("\r\n"),
    Buffer.from("\n"),
    Buffer.from([0xc0, 0xaf]),
    dice.bytes(4),
  ]);
  const ways = [
    () => Buffer.concat([before, odd, after]),
    () => Buffer.concat([before, after.subarray(length)]),
    () => Buffer.concat([before, after.subarray(0, length), after]),
    () => before,
    () => after,
    () => {
      const copy = Buffer.from(bytes);
      const place = dice.int(0, Math.max(0, copy.length - 1));
      copy[place] = (copy[place] ?? 0) ^ (1 << dice.int(0, 7));
      return copy;
    },
  ];
  return (dice.pick(ways) ?? (() => bytes))();
}

/** In the body alone: what it is sent in stays right. */
export const bodyMutations: readonly Mutation[] = [
  {
    name: "garbled bytes in the body",
    apply: (draft, dice) => {
      if (draft.body === undefined) return;
      for (let times = dice.int(1, 3); times > 0; times -= 1) {
        draft.body = Buffer.from(garbled(draft.body, dice));
      }
    },
  },
  {
    name: "a byte order mark",
    apply: (draft) => {
      if (draft.body !== undefined) draft.body = Buffer.concat([Buffer.from("\ufeff"), draft.body]);
    },
  },
  {
    name: "a body where none is wanted",
    apply: (draft) => {
      draft.body ??= Buffer.from('{"a":1}');
      setHeader(draft, "content-type", "application/json");
    },
  },
  {
    name: "no body",
    apply: (draft) => {
      draft.body = undefined;
    },
  },
  {
    name: "a large body",
    apply: (draft, dice) => {
      const size = dice.pick([65_535, 65_536, 65_537, 200_000]);
      const text = (draft.body ?? Buffer.from("{}")).toString("latin1");
      draft.body = Buffer.from(text.padEnd(size, " "), "latin1");
    },
  },
];

/** In everything that is sent, so that nobody can say any more what it is. */
export const wireMutations: readonly Mutation[] = [
  garble("garbled bytes anywhere", (bytes, dice) => garbled(garbled(bytes, dice), dice)),
  garble("garbled bytes in the head", (bytes, dice) => {
    const headEnd = bytes.indexOf("\r\n\r\n");
    return Buffer.concat([garbled(bytes.subarray(0, headEnd), dice), bytes.subarray(headEnd)]);
  }),
  garble("cut off", (bytes, dice) => bytes.subarray(0, placeIn(dice, bytes))),
  garble("line feeds alone", (bytes) =>
    Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
  ),
  garble("a folded header", (bytes) => replaceOnce(bytes, "\r\n", "\r\nx-folded: a\r\n b\r\n")),
  garble("a space before the colon", (bytes) => replaceOnce(bytes, ": ", " : ")),
  garble("an injected line", (bytes) => replaceOnce(bytes, ": ", ": x\r\nx-injected: ")),
  garble("empty lines before", (bytes) => Buffer.concat([Buffer.from("\r\n\r\n"), bytes])),
  garble("something else before", (bytes, dice) =>
    Buffer.concat([
      Buffer.from(
        dice.pick([
          "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
          "\x16\x03\x01\x02\x00",
          "GET /\r\n",
          "\0\0\0\0",
        ]),
        "latin1",
      ),
      bytes,
    ]),
  ),
  garble("something else after", (bytes, dice) =>
    Buffer.concat([
      bytes,
      Buffer.from(dice.pick(["\0", "\r\n\r\n", "x", "GET / HTTP/1.1\r\n\r\n", "{}"]), "latin1"),
    ]),
  ),
];

function garble(name: string, change: (bytes: Buffer, dice: Dice) => Buffer): Mutation {
  return {
    name,
    apply: (draft, dice) => {
      draft.isOdd = true;
      draft.garble = (bytes) => change(bytes, dice);
    },
  };
}

function replaceOnce(bytes: Buffer, what: string, by: string): Buffer {
  return Buffer.from(
    bytes.toString("latin1").replace(what, () => by),
    "latin1",
  );
}
