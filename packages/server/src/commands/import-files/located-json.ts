/** The value of a JSON text, with the line of every part. */
export type LocatedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The line of the part at the path or, if it is missing, of its nearest parent. */
      lineOf(path: readonly string[]): number;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

interface Part {
  readonly value: unknown;
  readonly line: number;
  readonly parts?: ReadonlyMap<string, Part>;
}

/** Thrown to leave any depth of recursion at once. */
class ParseError extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Deeper than any valid document, and far below a stack overflow. */
const maxDepth = 32;
/** A double represents every number of this many digits. JSON.parse would silently change a longer one. */
const maxDigits = 15;

const tokens = {
  space: /[ \t\r\n]*/y,
  // oxlint-disable-next-line no-control-regex -- the grammar of JSON names them
  string: /"[^"\\\u0000-\u001f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\u0000-\u001f]*)*"/y,
  number: /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])/y,
  word: /(?:true|false|null)\b/y,
} as const;

/**
 * Parses strict JSON, refuses duplicate keys and keeps line numbers, so that errors in a file written by
 * hand can name the line. JSON.parse does neither.
 */
export function readLocatedJson(text: string): LocatedJson {
  const cursor = new Cursor(text);
  try {
    const root = readPart(cursor, []);
    if (cursor.peek() !== "") throw cursor.unexpected("nothing after the document");
    return { ok: true, value: root.value, lineOf: (path) => lineOf(root, path) };
  } catch (error) {
    if (error instanceof ParseError) return { ok: false, line: error.line, message: error.message };
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

  /** Consumes the next token if it matches. Only white space contains line breaks, so `peek` counts them. */
  take(token: RegExp): string | undefined {
    token.lastIndex = this.#at;
    const taken = token.exec(this.#text)?.[0];
    this.#at += taken?.length ?? 0;
    return taken;
  }

  /** The next character after white space, or an empty string at the end. */
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

  unexpected(expected: string): ParseError {
    const next = this.peek();
    const found = next === "" ? "the end of the file" : JSON.stringify(next);
    return new ParseError(this.line, `invalid JSON: expected ${expected}, found ${found}`);
  }
}

function readPart(cursor: Cursor, path: readonly string[]): Part {
  const next = cursor.peek();
  const { line } = cursor;
  if (path.length > maxDepth) throw new ParseError(line, `${path.join(".")} is nested too deeply`);
  if (next === "{") return readObject(cursor, path);
  if (next === "[") return readArray(cursor, path);
  const source = readText(cursor) ?? cursor.take(tokens.word) ?? readNumber(cursor, path);
  return { value: JSON.parse(source) as unknown, line };
}

function readText(cursor: Cursor): string | undefined {
  if (cursor.peek() !== '"') return undefined;
  const source = cursor.take(tokens.string);
  if (source !== undefined) return source;
  const message = "invalid JSON: a string must end on its line and contain only JSON escapes";
  throw new ParseError(cursor.line, message);
}

function readNumber(cursor: Cursor, path: readonly string[]): string {
  const source = cursor.take(tokens.number);
  if (source === undefined) throw cursor.unexpected("a value");
  const digits = source
    .replace(/[eE].*/, "")
    .replaceAll(/\D/g, "")
    .replace(/^0+/, "");
  const [significant = ""] = /^\d*[1-9]/.exec(digits) ?? [];
  if (significant.length > maxDigits) {
    throw new ParseError(cursor.line, `${path.join(".")} must have at most ${maxDigits} digits`);
  }
  return source;
}

function readObject(cursor: Cursor, path: readonly string[]): Part {
  const { line } = cursor;
  const parts = new Map<string, Part>();
  for (let isFirst = true; hasNext(cursor, "{", "}", isFirst); isFirst = false) {
    const key = readKey(cursor);
    const keyLine = cursor.line;
    const inner = [...path, key];
    const earlier = parts.get(key);
    if (earlier !== undefined) {
      const message = `${inner.join(".")} is a duplicate key; the first is on line ${earlier.line}`;
      throw new ParseError(keyLine, message);
    }
    if (!cursor.skip(":")) throw cursor.unexpected("a colon after the key");
    parts.set(key, { ...readPart(cursor, inner), line: keyLine });
  }
  // Unlike an assignment, this treats `__proto__` as an ordinary key.
  return {
    value: Object.fromEntries([...parts].map(([key, { value }]) => [key, value])),
    line,
    parts,
  };
}

function readArray(cursor: Cursor, path: readonly string[]): Part {
  const { line } = cursor;
  const items: Part[] = [];
  for (let isFirst = true; hasNext(cursor, "[", "]", isFirst); isFirst = false) {
    items.push(readPart(cursor, [...path, String(items.length)]));
  }
  const parts = new Map(items.map((item, index) => [String(index), item]));
  return { value: items.map(({ value }) => value), line, parts };
}

function readKey(cursor: Cursor): string {
  const source = readText(cursor);
  if (source === undefined) throw cursor.unexpected("a key in double quotes");
  return String(JSON.parse(source));
}

/** Steps over an opening bracket, comma or closing bracket. Returns whether another item follows. */
function hasNext(cursor: Cursor, open: string, close: string, isFirst: boolean): boolean {
  if (isFirst) {
    cursor.skip(open);
    return !cursor.skip(close);
  }
  if (cursor.skip(close)) return false;
  if (!cursor.skip(",")) throw cursor.unexpected(`a comma or ${close}`);
  if (cursor.peek() === close) throw cursor.unexpected("another item after the comma");
  return true;
}
