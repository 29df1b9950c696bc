import type { SeededRandom } from "../seeded-random.ts";
import { setHeader } from "../draft.ts";
import { positionIn, type Mutation } from "./mutation.ts";

/** Inserts, removes, repeats, truncates or flips bytes at a random position. */
function corrupted(bytes: Buffer, random: SeededRandom): Buffer {
  const at = positionIn(random, bytes);
  const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
  const length = random.int(1, 8);
  const insertion = random.pick([
    Buffer.from([0xff]),
    Buffer.from([0xed, 0xa0, 0x80]),
    Buffer.from([0]),
    Buffer.from("\r\n"),
    Buffer.from("\n"),
    Buffer.from([0xc0, 0xaf]),
    random.bytes(4),
  ]);
  const changes = [
    () => Buffer.concat([before, insertion, after]),
    () => Buffer.concat([before, after.subarray(length)]),
    () => Buffer.concat([before, after.subarray(0, length), after]),
    () => before,
    () => after,
    () => {
      const copy = Buffer.from(bytes);
      const position = random.int(0, Math.max(0, copy.length - 1));
      copy[position] = (copy[position] ?? 0) ^ (1 << random.int(0, 7));
      return copy;
    },
  ];
  return (random.pick(changes) ?? (() => bytes))();
}

/** Change the body only. The framing stays valid. */
export const bodyMutations: readonly Mutation[] = [
  {
    name: "corrupted bytes in the body",
    apply: (draft, random) => {
      if (draft.body === undefined) return;
      for (let times = random.int(1, 3); times > 0; times -= 1) {
        draft.body = Buffer.from(corrupted(draft.body, random));
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
    name: "an unexpected body",
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
    apply: (draft, random) => {
      const size = random.pick([65_535, 65_536, 65_537, 200_000]);
      const text = (draft.body ?? Buffer.from("{}")).toString("latin1");
      draft.body = Buffer.from(text.padEnd(size, " "), "latin1");
    },
  },
];

/** Change the bytes of the whole request, after which it may no longer be valid HTTP. */
export const wireMutations: readonly Mutation[] = [
  corrupt("corrupted bytes anywhere", (bytes, random) =>
    corrupted(corrupted(bytes, random), random),
  ),
  corrupt("corrupted bytes in the head", (bytes, random) => {
    const headEnd = bytes.indexOf("\r\n\r\n");
    return Buffer.concat([corrupted(bytes.subarray(0, headEnd), random), bytes.subarray(headEnd)]);
  }),
  corrupt("a truncated request", (bytes, random) => bytes.subarray(0, positionIn(random, bytes))),
  corrupt("line feeds without carriage returns", (bytes) =>
    Buffer.from(bytes.toString("latin1").replaceAll("\r\n", "\n"), "latin1"),
  ),
  corrupt("a folded header", (bytes) => replaceOnce(bytes, "\r\n", "\r\nx-folded: a\r\n b\r\n")),
  corrupt("a space before the colon", (bytes) => replaceOnce(bytes, ": ", " : ")),
  corrupt("an injected line", (bytes) => replaceOnce(bytes, ": ", ": x\r\nx-injected: ")),
  corrupt("empty lines before the request", (bytes) =>
    Buffer.concat([Buffer.from("\r\n\r\n"), bytes]),
  ),
  corrupt("other bytes before the request", (bytes, random) =>
    Buffer.concat([
      Buffer.from(
        random.pick([
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
  corrupt("other bytes after the request", (bytes, random) =>
    Buffer.concat([
      bytes,
      Buffer.from(random.pick(["\0", "\r\n\r\n", "x", "GET / HTTP/1.1\r\n\r\n", "{}"]), "latin1"),
    ]),
  ),
];

function corrupt(name: string, change: (bytes: Buffer, random: SeededRandom) => Buffer): Mutation {
  return {
    name,
    apply: (draft, random) => {
      draft.mayEndConnection = true;
      draft.corrupt = (bytes) => change(bytes, random);
    },
  };
}

function replaceOnce(bytes: Buffer, text: string, replacement: string): Buffer {
  return Buffer.from(
    bytes.toString("latin1").replace(text, () => replacement),
    "latin1",
  );
}
