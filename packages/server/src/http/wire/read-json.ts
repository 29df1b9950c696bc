/** A string that no database can store: PostgreSQL refuses NUL, and UTF-8 has no lone surrogates. */
export type UnstorableText = { path: string; reason: "nul" | "lone surrogate" };

export type ReadJson =
  | { ok: true; value: unknown; unstorable: UnstorableText[] }
  | { ok: false; message: string };

const maxDepth = 32;
const maxSignificantDigits = 15;
// Up to this length, a number without an exponent is always within the range of a double.
const maxPlainNumberLength = 300;
// Smaller numbers are subnormal: a double has fewer than 15 digits for them, down to none.
const smallestNormalNumber = 2 ** -1022;
// Without these two limits, a small body could cause an answer many times its size.
const maxUnstorable = 20;
const maxShownKeyLength = 64;

const space = 0x20;
const quote = 0x22;
const comma = 0x2c;
const minus = 0x2d;
const zero = 0x30;
const nine = 0x39;
const colon = 0x3a;
const openArray = 0x5b;
const backslash = 0x5c;
const closeArray = 0x5d;
const openObject = 0x7b;
const closeObject = 0x7d;

// `ignoreBOM` leaves a byte order mark in the text, and JSON.parse refuses it there.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Parses a request body and refuses input that JSON.parse would silently change: duplicate keys, numbers
 * that a double cannot represent, invalid UTF-8. Messages never quote the body, which may hold a password.
 */
export function readJson(bytes: Uint8Array): ReadJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuse("The body is not valid UTF-8.");
  }

  // The scan comes first because parsing deep nesting costs far more than refusing it. It accepts any
  // text, and its count of keys is used only if the text is JSON.
  const scanned = scan(text);
  if (typeof scanned === "string") return refuse(scanned);

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("The body is not valid JSON.");
  }
  const built: Cursor | undefined = text.includes("\\")
    ? { text, at: 0, keys: 0, hasUnstorable: false }
    : undefined;
  if (built !== undefined) value = build(built);

  // An object keeps one of several equal keys, so a duplicate, in any spelling, leaves fewer keys in the
  // value than in the text. Comparing the two counts needs no list of keys.
  const keys = built?.keys ?? countKeys(value);
  if (keys !== scanned) return refuse("The body has a duplicate key in an object.");

  const unstorable: UnstorableText[] = [];
  // Both can only come from an escape: a raw NUL is not valid JSON, a raw lone surrogate not valid UTF-8.
  if (built?.hasUnstorable === true) collectUnstorable(value, [], unstorable);
  return { ok: true, value, unstorable };
}

function refuse(message: string): ReadJson {
  return { ok: false, message };
}

/** Returns the number of keys in the text, or the reason to refuse its depth or a number. */
function scan(text: string): number | string {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === quote) {
      at = endOfString(text, at) - 1;
    } else if (code === colon) {
      keys += 1;
    } else if (code === minus || (code >= zero && code <= nine)) {
      const end = endOfWord(text, at);
      const fault = faultOfNumber(text, at, end);
      if (fault !== undefined) return fault;
      at = end - 1;
    } else if (code === openArray || code === openObject) {
      depth += 1;
      if (depth > maxDepth) return `The body is nested more than ${maxDepth} levels deep.`;
    } else if (code === closeArray || code === closeObject) {
      depth -= 1;
    }
  }
  return keys;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === quote) return at + 1;
    at += code === backslash ? 2 : 1;
  }
  return text.length;
}

/** The end of a number or of `true`, `false`, `null`. */
function endOfWord(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= space || code === comma || code === closeArray || code === closeObject) break;
  }
  return at;
}

function faultOfNumber(text: string, start: number, end: number): string | undefined {
  let significant = 0;
  let trailingZeros = 0;
  let at = start;
  // The loop ends at an exponent: its letter sorts after the digits, the sign and the point before them.
  for (; at < end && text.charCodeAt(at) <= nine; at += 1) {
    const code = text.charCodeAt(at);
    if (code === zero && significant > 0) {
      trailingZeros += 1;
    } else if (code > zero) {
      significant += trailingZeros + 1;
      trailingZeros = 0;
    }
  }
  if (significant > maxSignificantDigits) {
    return `The body has a number with more than ${maxSignificantDigits} significant digits.`;
  }
  if (significant === 0 || (at === end && end - start <= maxPlainNumberLength)) return undefined;
  const size = Math.abs(Number(text.slice(start, end)));
  if (size === Infinity) return "The body has a number that is too large.";
  if (size < smallestNormalNumber) return "The body has a number that is too close to zero.";
  return undefined;
}

type Cursor = {
  readonly text: string;
  at: number;
  /** Number of distinct keys in the objects before `at`, summed over all objects. */
  keys: number;
  hasUnstorable: boolean;
};

/**
 * Builds the value of well-formed text and uses JSON.parse for scalars only. V8 can mistake an escaped
 * key for another key from an earlier body (nodejs/node#63785), which renames or drops it. Recursion is
 * safe here and below because the scan has limited the depth.
 */
function build(cursor: Cursor): unknown {
  const start = skipSpace(cursor);
  const code = cursor.text.charCodeAt(start);
  if (code === openObject) return buildObject(cursor);
  if (code === openArray) return buildArray(cursor);
  if (code === quote) return buildString(cursor);
  cursor.at = endOfWord(cursor.text, start);
  return JSON.parse(cursor.text.slice(start, cursor.at));
}

function buildString(cursor: Cursor): string {
  const start = skipSpace(cursor);
  cursor.at = endOfString(cursor.text, start);
  const inner = cursor.text.slice(start + 1, cursor.at - 1);
  if (!inner.includes("\\")) return inner;
  const string = String(JSON.parse(`"${inner}"`));
  cursor.hasUnstorable ||= isUnstorable(string);
  return string;
}

function buildObject(cursor: Cursor): unknown {
  const members = new Map<string, unknown>();
  while (!closes(cursor, closeObject)) members.set(buildString(cursor), afterColon(cursor));
  cursor.keys += members.size;
  // Unlike an assignment, this treats `__proto__` as an ordinary key.
  return Object.fromEntries(members);
}

function buildArray(cursor: Cursor): unknown[] {
  const items: unknown[] = [];
  while (!closes(cursor, closeArray)) items.push(build(cursor));
  return items;
}

function afterColon(cursor: Cursor): unknown {
  cursor.at = skipSpace(cursor) + 1;
  return build(cursor);
}

/** Steps over an opening bracket, comma or closing bracket. Returns whether the object or array ended. */
function closes(cursor: Cursor, close: number): boolean {
  const code = cursor.text.charCodeAt(skipSpace(cursor));
  if (code !== close) {
    cursor.at += 1;
    if (cursor.text.charCodeAt(skipSpace(cursor)) !== close) return false;
  }
  cursor.at += 1;
  return true;
}

function skipSpace(cursor: Cursor): number {
  while (cursor.at < cursor.text.length && cursor.text.charCodeAt(cursor.at) <= space) {
    cursor.at += 1;
  }
  return cursor.at;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  let count = 0;
  if (Array.isArray(value)) {
    for (const item of value) count += countKeys(item);
    return count;
  }
  // `Object.values` takes twice as long on an object with thousands of keys.
  for (const key of Object.keys(value)) count += 1 + countKeys(value[key as keyof typeof value]);
  return count;
}

/** `trail` is the path of `value`. The whole walk shares it, and every call restores it. */
function collectUnstorable(value: unknown, trail: string[], unstorable: UnstorableText[]): void {
  if (typeof value === "string") {
    addUnstorable(value, trail, unstorable);
  } else if (typeof value === "object" && value !== null) {
    const isArray = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      if (unstorable.length >= maxUnstorable) return;
      trail.push(key);
      if (!isArray) addUnstorable(key, trail, unstorable);
      collectUnstorable(item, trail, unstorable);
      trail.pop();
    }
  }
}

function addUnstorable(text: string, trail: readonly string[], unstorable: UnstorableText[]): void {
  if (unstorable.length >= maxUnstorable || !isUnstorable(text)) return;
  const path = trail.map(shownKey).join(".");
  unstorable.push({ path, reason: text.includes("\0") ? "nul" : "lone surrogate" });
}

function isUnstorable(text: string): boolean {
  return text.includes("\0") || !text.isWellFormed();
}

/** The path is sent in the answer, which must not contain the characters that make the key invalid. */
function shownKey(key: string): string {
  return key.slice(0, maxShownKeyLength).replaceAll("\0", "\uFFFD").toWellFormed();
}
