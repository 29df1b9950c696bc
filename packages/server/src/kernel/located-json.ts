import { printParseErrorCode, visit } from "jsonc-parser";

/** A parsed JSON text that knows the line of each of its parts. */
export type LocatedJson =
  | {
      readonly ok: true;
      readonly value: unknown;
      /** The line of the part at the path, or of its nearest existing parent. */
      lineOf(path: readonly string[]): number;
    }
  | { readonly ok: false; readonly line: number; readonly message: string };

interface Leaf {
  readonly line: number;
  readonly value: unknown;
}

interface Branch {
  readonly line: number;
  readonly isArray: boolean;
  readonly parts: Map<string, Leaf | Branch>;
}

/** Thrown to leave the visitor at the first error. */
class InvalidText extends Error {
  readonly line: number;

  constructor(line: number, message: string) {
    super(message);
    this.line = line;
  }
}

/** Deeper than any document we import. The library recurses, so this also protects the stack. */
const maxDepth = 32;
/** A double keeps this many digits and rounds a longer number. */
const maxDigits = 15;

/**
 * Parses strict JSON and remembers lines, so that an error in a file can name its line. Unlike JSON.parse,
 * it refuses duplicate keys and numbers that would be rounded.
 */
export function readLocatedJson(text: string): LocatedJson {
  try {
    const root = readTree(text);
    return { ok: true, value: valueOf(root), lineOf: (path) => lineOf(root, path) };
  } catch (error) {
    if (!(error instanceof InvalidText)) throw error;
    return { ok: false, line: error.line, message: error.message };
  }
}

function readTree(text: string): Leaf | Branch {
  const root: Branch = { line: 1, isArray: true, parts: new Map() };
  const open = [root];
  let key: { readonly name: string; readonly line: number } | undefined;

  const innermost = () => open.at(-1) ?? root;
  /** The library counts lines from 0. In an object, a part has the line of its key. */
  const lineFrom = (zeroBased: number) => key?.line ?? zeroBased + 1;
  const add = (part: Leaf | Branch, path: () => readonly (string | number)[]) => {
    if (open.length > maxDepth + 1) {
      throw new InvalidText(part.line, `${path().join(".")} is nested too deeply`);
    }
    const { parts } = innermost();
    parts.set(key?.name ?? String(parts.size), part);
    key = undefined;
    if ("parts" in part) open.push(part);
  };
  const close = () => void open.pop();

  visit(
    text,
    {
      onObjectBegin: (_offset, _length, line, _column, path) =>
        add({ line: lineFrom(line), isArray: false, parts: new Map() }, path),
      onArrayBegin: (_offset, _length, line, _column, path) =>
        add({ line: lineFrom(line), isArray: true, parts: new Map() }, path),
      onObjectEnd: close,
      onArrayEnd: close,
      onObjectProperty: (name, _offset, _length, line, _column, path) => {
        const earlier = innermost().parts.get(name);
        if (earlier !== undefined) {
          const message = `${[...path(), name].join(".")} is a duplicate of line ${earlier.line}`;
          throw new InvalidText(line + 1, message);
        }
        key = { name, line: line + 1 };
      },
      onLiteralValue: (value, offset, length, line, _column, path) => {
        if (typeof value === "number" && isRounded(text.slice(offset, offset + length))) {
          const message = `${path().join(".")} must have at most ${maxDigits} digits`;
          throw new InvalidText(line + 1, message);
        }
        add({ line: lineFrom(line), value }, path);
      },
      onError: (code, offset, _length, line) => {
        const found = text.charAt(offset);
        const shown = found === "" ? "the end of the file" : JSON.stringify(found);
        const expected = expectations[printParseErrorCode(code)] ?? "something else";
        throw new InvalidText(line + 1, `invalid JSON: expected ${expected}, found ${shown}`);
      },
    },
    { disallowComments: true },
  );
  const [document] = root.parts.values();
  if (document === undefined) throw new Error("The library reported neither a value nor an error.");
  return document;
}

const expectations: Readonly<Record<string, string>> = {
  InvalidSymbol: "a value or a key in double quotes",
  InvalidNumberFormat: "a number",
  PropertyNameExpected: "a key in double quotes",
  ValueExpected: "a value",
  ColonExpected: "a colon after the key",
  CommaExpected: "a comma",
  CloseBraceExpected: "a comma or }",
  CloseBracketExpected: "a comma or ]",
  EndOfFileExpected: "the end of the file",
  InvalidCommentToken: "no comment",
  UnexpectedEndOfString: "text that ends in a quote on its line",
  UnexpectedEndOfNumber: "a complete number",
  InvalidUnicode: "text with complete Unicode escapes",
  InvalidEscapeCharacter: "text with JSON escapes only",
  InvalidCharacter: "text without control characters",
};

function isRounded(number: string): boolean {
  const digits = number
    .replace(/[eE].*/, "")
    .replaceAll(/\D/g, "")
    .replace(/^0+/, "");
  const [significant = ""] = /^\d*[1-9]/.exec(digits) ?? [];
  return significant.length > maxDigits;
}

function valueOf(part: Leaf | Branch): unknown {
  if ("value" in part) return part.value;
  if (part.isArray) return Array.from(part.parts.values(), valueOf);
  // Unlike an assignment, this makes `__proto__` an ordinary key.
  return Object.fromEntries(Array.from(part.parts, ([key, inner]) => [key, valueOf(inner)]));
}

function lineOf(root: Leaf | Branch, path: readonly string[]): number {
  let part = root;
  for (const key of path) {
    const inner = "parts" in part ? part.parts.get(key) : undefined;
    if (inner === undefined) break;
    part = inner;
  }
  return part.line;
}
