export type ReadJson =
  | { readonly kind: "value"; readonly value: unknown }
  | { readonly kind: "broken"; readonly why: string; readonly line: number };

/** The value of a JSON text, or in which line it stops being one. */
export function readJson(text: string): ReadJson {
  try {
    return { kind: "value", value: JSON.parse(text) };
  } catch (error) {
    const why = error instanceof Error ? error.message : "It is not JSON.";
    return { kind: "broken", why, line: brokenLine(text, why) };
  }
}

/** Browsers tell the place in words of their own; without it, it is the end. */
function brokenLine(text: string, why: string): number {
  const line = /line (\d+)/.exec(why)?.[1];
  if (line !== undefined) return Number(line);
  const at = /position (\d+)/.exec(why)?.[1];
  return lineAt(text, at === undefined ? text.length : Number(at));
}

/** In which line a place of a text is, counted from 1. */
export function lineAt(text: string, at: number): number {
  return text.slice(0, at).split("\n").length;
}

/**
 * Where in a well-formed JSON text the value of a path begins: `configurations.3.offers.0.weeklyUsd`.
 * As near as it gets, when the end of the path is not there: a missing field is a fault of its object.
 */
export function placeOf(text: string, path: string): number {
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
