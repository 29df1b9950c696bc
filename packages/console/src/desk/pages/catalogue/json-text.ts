export type ReadJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "invalid"; readonly why: string; readonly line: number };

/** Parses JSON, or reports the line of the syntax error. */
export function readJson(text: string): ReadJson {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : "Syntax error.";
    return { kind: "invalid", why, line: errorLine(text, why) };
  }
}

/** Browsers word the position differently; without one, assume the end. */
function errorLine(text: string, why: string): number {
  const line = /line (\d+)/.exec(why)?.[1];
  if (line !== undefined) return Number(line);
  const at = /position (\d+)/.exec(why)?.[1];
  return lineAt(text, at === undefined ? text.length : Number(at));
}

/** The line of an offset, counted from 1. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/**
 * The offset of the value at a path such as `configurations.3.offers.0.weeklyUsd` in valid JSON. If the
 * path does not exist, the offset of its nearest existing parent.
 */
export function offsetOf(text: string, path: string): number {
  const tokens = text.matchAll(/"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g);
  const wanted = path.split(".");
  const open: { key: string; index: number; isList: boolean }[] = [];
  let best = { depth: 0, at: 0 };
  let last = "";
  for (const { 0: token, index: at } of tokens) {
    const top = open.at(-1);
    if (token === "}" || token === "]") open.pop();
    else if (token === "," && top?.isList === true) {
      top.index += 1;
      top.key = String(top.index);
    } else if (token === ":" && top !== undefined) top.key = JSON.parse(last) as string;
    else if (token !== ",") {
      const isKey = top?.isList === false && (last === "{" || last === ",");
      const here = open.map(({ key }) => key);
      if (!isKey && here.every((key, depth) => key === wanted[depth]) && here.length > best.depth) {
        best = { depth: here.length, at };
      }
      if (token === "{") open.push({ key: "", index: 0, isList: false });
      if (token === "[") open.push({ key: "0", index: 0, isList: true });
    }
    last = token;
  }
  return best.at;
}
