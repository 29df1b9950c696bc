/** A string the databases cannot keep: PostgreSQL refuses NUL, and UTF-8 has no half a pair. */
export type UnfitText = { path: string; reason: "nul" | "lone surrogate" };

export type ReadJson =
  | { ok: true; value: unknown; unfit: UnfitText[] }
  | { ok: false; message: string };

const MAX_DEPTH = 32;
const MAX_SIGNIFICANT_DIGITS = 15;
// No shorter number without an exponent leaves the range of a double.
const MAX_PLAIN_NUMBER_LENGTH = 300;
// Below this a double keeps fewer than 15 digits, and in the end none.
const SMALLEST_NORMAL_NUMBER = 2 ** -1022;
// Without these two bounds a small body could ask for an answer many times its own size.
const MAX_UNFIT = 20;
const MAX_SHOWN_KEY_LENGTH = 64;

const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const MINUS = 0x2d;
const ZERO = 0x30;
const NINE = 0x39;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

// `ignoreBOM` keeps a byte order mark in the text, where JSON.parse refuses it.
const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Reads a request body, and refuses what JSON.parse would quietly change: repeated keys, numbers a
 * double cannot hold, broken UTF-8. A message never quotes the body, which may hold a password.
 */
export function readJson(bytes: Uint8Array): ReadJson {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return refuse("The body is not valid UTF-8.");
  }

  // The scan comes first, since parsing a body of brackets alone costs far more than refusing it.
  // It makes sense of any text, and what it counts is used only if the text is JSON.
  const scanned = scan(text);
  if (typeof scanned === "string") return refuse(scanned);

  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return refuse("The body is not valid JSON.");
  }
  const escaped = text.includes("\\");
  if (escaped) value = build({ text, at: 0 });

  // An object keeps one of several equal keys, so that a repetition, however it is spelt, leaves
  // fewer keys in the value than in the text. Comparing two counts needs no list of the keys.
  if (countKeys(value) !== scanned) return refuse("The body repeats a key within one object.");

  const unfit: UnfitText[] = [];
  // A raw NUL is malformed JSON and valid UTF-8 has no lone surrogate: both need an escape.
  if (escaped) collectUnfit(value, [], unfit);
  return { ok: true, value, unfit };
}

function refuse(message: string): ReadJson {
  return { ok: false, message };
}

/** Counts the keys in JSON text, or says what is wrong with its depth or its numbers. */
function scan(text: string): number | string {
  let keys = 0;
  let depth = 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) {
      at = endOfString(text, at) - 1;
    } else if (code === COLON) {
      keys += 1;
    } else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const end = endOfWord(text, at);
      const fault = faultOfNumber(text, at, end);
      if (fault !== undefined) return fault;
      at = end - 1;
    } else if (code === OPEN_ARRAY || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > MAX_DEPTH) return `The body is nested more than ${MAX_DEPTH} levels deep.`;
    } else if (code === CLOSE_ARRAY || code === CLOSE_OBJECT) {
      depth -= 1;
    }
  }
  return keys;
}

function endOfString(text: string, start: number): number {
  let at = start + 1;
  while (at < text.length) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    at += code === BACKSLASH ? 2 : 1;
  }
  return text.length;
}

/** The end of a number or of `true`, `false`, `null`. */
function endOfWord(text: string, start: number): number {
  let at = start + 1;
  for (; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code <= SPACE || code === COMMA || code === CLOSE_ARRAY || code === CLOSE_OBJECT) break;
  }
  return at;
}

function faultOfNumber(text: string, start: number, end: number): string | undefined {
  let significant = 0;
  let trailingZeros = 0;
  let at = start;
  // The sign and the point sort before the digits, and an exponent's letter sorts after them.
  for (; at < end && text.charCodeAt(at) <= NINE; at += 1) {
    const code = text.charCodeAt(at);
    if (code === ZERO && significant > 0) {
      trailingZeros += 1;
    } else if (code > ZERO) {
      significant += trailingZeros + 1;
      trailingZeros = 0;
    }
  }
  if (significant > MAX_SIGNIFICANT_DIGITS) {
    return `The body has a number of more than ${MAX_SIGNIFICANT_DIGITS} significant digits.`;
  }
  if (significant === 0 || (at === end && end - start <= MAX_PLAIN_NUMBER_LENGTH)) return undefined;
  const size = Math.abs(Number(text.slice(start, end)));
  if (size === Infinity) return "The body has a number that is too large.";
  if (size < SMALLEST_NORMAL_NUMBER) return "The body has a number that is too close to zero.";
  return undefined;
}

type Cursor = { readonly text: string; at: number };

/**
 * Builds the value of well-formed text again, asking JSON.parse for scalars only: V8 takes an
 * escaped key for a different one that an earlier body brought (nodejs/node#63785), which renames
 * or loses it. Recursion is safe here and below: the scan has refused what is too deep.
 */
function build(cursor: Cursor): unknown {
  const start = skipSpace(cursor);
  const code = cursor.text.charCodeAt(start);
  if (code === OPEN_OBJECT) return buildObject(cursor);
  if (code === OPEN_ARRAY) return buildArray(cursor);
  cursor.at = (code === QUOTE ? endOfString : endOfWord)(cursor.text, start);
  return JSON.parse(cursor.text.slice(start, cursor.at));
}

function buildObject(cursor: Cursor): unknown {
  const members: [string, unknown][] = [];
  while (!closes(cursor, CLOSE_OBJECT)) members.push([String(build(cursor)), afterColon(cursor)]);
  // Unlike an assignment, this makes `__proto__` a key like any other.
  return Object.fromEntries(members);
}

function buildArray(cursor: Cursor): unknown[] {
  const items: unknown[] = [];
  while (!closes(cursor, CLOSE_ARRAY)) items.push(build(cursor));
  return items;
}

function afterColon(cursor: Cursor): unknown {
  cursor.at = skipSpace(cursor) + 1;
  return build(cursor);
}

/** Steps over the opening bracket, a comma or the closing bracket, and says whether it closed. */
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
  while (cursor.at < cursor.text.length && cursor.text.charCodeAt(cursor.at) <= SPACE) {
    cursor.at += 1;
  }
  return cursor.at;
}

function countKeys(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const isArray = Array.isArray(value);
  const items: unknown[] = isArray ? value : Object.values(value);
  let count = isArray ? 0 : items.length;
  for (const item of items) count += countKeys(item);
  return count;
}

/** `trail` is the way to `value`; it is shared by the whole walk, and left as it was found. */
function collectUnfit(value: unknown, trail: string[], unfit: UnfitText[]): void {
  if (typeof value === "string") {
    noteUnfit(value, trail, unfit);
  } else if (typeof value === "object" && value !== null) {
    const isArray = Array.isArray(value);
    for (const [key, item] of Object.entries(value)) {
      if (unfit.length >= MAX_UNFIT) return;
      trail.push(key);
      if (!isArray) noteUnfit(key, trail, unfit);
      collectUnfit(item, trail, unfit);
      trail.pop();
    }
  }
}

function noteUnfit(text: string, trail: readonly string[], unfit: UnfitText[]): void {
  const hasNul = text.includes("\0");
  if (unfit.length >= MAX_UNFIT || (!hasNul && text.isWellFormed())) return;
  const path = trail.map(shownKey).join(".");
  unfit.push({ path, reason: hasNul ? "nul" : "lone surrogate" });
}

/** The path goes into answers and logs, which must not carry on what the key is refused for. */
function shownKey(key: string): string {
  return key.slice(0, MAX_SHOWN_KEY_LENGTH).replaceAll("\0", "\uFFFD").toWellFormed();
}
