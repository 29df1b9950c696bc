/** A JSON text as a value, and the line on which each part of it stands. */
export type LocatedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** Of the part at the path, or of the nearest one around it that is there. */
      lineOf(path: readonly string[]): number;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

interface Part {
  readonly value: unknown;
  readonly line: number;
  readonly parts?: ReadonlyMap<string, Part>;
}

/** What is wrong with the text, thrown to get out of however many brackets at once. */
class Flaw extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Deeper than any document of ours, and far from where recursion would end the process. */
const maxDepth = 32;
/** A double keeps this many; of a longer number it would quietly make another one. */
const maxDigits = 15;

const tokens = {
  space: /[ \t\r\n]*/y,
  // oxlint-disable-next-line no-control-regex -- the grammar of JSON names them
  string: /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y,
  word: /(?:true|false|null)\b/y,
} as const;

/**
 * Reads JSON as strictly as its grammar, refuses a key that comes twice, and remembers the lines, so
 * that whoever wrote the text by hand can be told where to look. JSON.parse tells neither.
 */
export function readLocatedJson(text: string): LocatedJson {
  const cursor = new Cursor(text);
  try {
    const root = readPart(cursor, []);
    if (cursor.peek() !== "") throw cursor.flaw("there must be nothing after the document");
    return { ok: true, value: root.value, lineOf: (path) => lineOf(root, path) };
  } catch (error) {
    if (error instanceof Flaw) return { ok: false, line: error.line, message: error.message };
    throw error;
  }
}

function lineOf(root: Part, path: readonly string[]): number {
  let part = root;
  for (const key of path) {
    const inner = part.parts?.get(key);
    if (inner === undefined) break;
    part = inner;
  }
  return part.line;
}

class Cursor {
  readonly #text: string;
  #at = 0;
  line = 1;

  constructor(text: string) {
    this.#text = text;
  }

  /** Takes the token if it is the next one. Only white space holds line breaks, so it counts them. */
  take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const taken = token.exec(this.#text)?.[0];
    this.#at += taken?.length ?? 0;
    return taken;
  }

  /** The next character that is not white space; empty at the end. */
  peek(): string {
    const space = this.take(tokens.space) ?? "";
    if (space.includes("\n")) this.line += space.split("\n").length - 1;
    return this.#text.charAt(this.#at);
  }

  skip(character: string): boolean {
    if (this.peek() !== character) return false;
    this.#at += 1;
    return true;
  }

  flaw(expected: string): Flaw {
    const next = this.peek();
    const found = next === "" ? "the end of the file" : JSON.stringify(next);
    return new Flaw(this.line, `this is not JSON: ${expected}, not ${found}`);
  }
}

function readPart(cursor: Cursor, path: readonly string[]): Part {
  const next = cursor.peek();
  const { line } = cursor;
  if (path.length > maxDepth) throw new Flaw(line, `${path.join(".")} is nested too deeply`);
  if (next === "{") return readObject(cursor, path);
  if (next === "[") return readArray(cursor, path);
  const source = readText(cursor) ?? cursor.take(tokens.word) ?? readNumber(cursor, path);
  return { value: JSON.parse(source) as unknown, line };
}

function readText(cursor: Cursor): string | undefined {
  if (cursor.peek() !== '"') return undefined;
  const source = cursor.take(tokens.string);
  if (source !== undefined) return source;
  const message = "this is not JSON: a text must end on its line, with only JSON's escapes in it";
  throw new Flaw(cursor.line, message);
}

function readNumber(cursor: Cursor, path: readonly string[]): string {
  const source = cursor.take(tokens.number);
  if (source === undefined) throw cursor.flaw("there must be a value here");
  const digits = source
    .replace(/[eE].*/, "")
    .replaceAll(/\D/g, "")
    .replace(/^0+/, "");
  const [significant = ""] = /^\d*[1-9]/.exec(digits) ?? [];
  if (significant.length > maxDigits) {
    throw new Flaw(cursor.line, `${path.join(".")} must have at most ${maxDigits} digits`);
  }
  return source;
}

function readObject(cursor: Cursor, path: readonly string[]): Part {
  const { line } = cursor;
  const parts = new Map<string, Part>();
  for (let isFirst = true; goesOn(cursor, "{", "}", isFirst); isFirst = false) {
    const key = readKey(cursor);
    const keyLine = cursor.line;
    const inner = [...path, key];
    const earlier = parts.get(key);
    if (earlier !== undefined) {
      const message = `${inner.join(".")} comes twice; the first is on line ${earlier.line}`;
      throw new Flaw(keyLine, message);
    }
    if (!cursor.skip(":")) throw cursor.flaw("there must be a colon after a key");
    parts.set(key, { ...readPart(cursor, inner), line: keyLine });
  }
  // Unlike an assignment, this makes `__proto__` a key like any other.
  return {
    value: Object.fromEntries([...parts].map(([key, { value }]) => [key, value])),
    line,
    parts,
  };
}

function readArray(cursor: Cursor, path: readonly string[]): Part {
  const { line } = cursor;
  const items: Part[] = [];
  for (let isFirst = true; goesOn(cursor, "[", "]", isFirst); isFirst = false) {
    items.push(readPart(cursor, [...path, String(items.length)]));
  }
  const parts = new Map(items.map((item, index) => [String(index), item]));
  return { value: items.map(({ value }) => value), line, parts };
}

function readKey(cursor: Cursor): string {
  const source = readText(cursor);
  if (source === undefined) throw cursor.flaw("there must be a key in double quotes");
  return String(JSON.parse(source));
}

/** Steps over the opening bracket, a comma or the closing bracket, and says whether more follows. */
function goesOn(cursor: Cursor, open: string, close: string, isFirst: boolean): boolean {
  if (isFirst) {
    cursor.skip(open);
    return !cursor.skip(close);
  }
  if (cursor.skip(close)) return false;
  if (!cursor.skip(",")) throw cursor.flaw(`there must be a comma or ${close} here`);
  if (cursor.peek() === close) throw cursor.flaw("there must be more after a comma");
  return true;
}
