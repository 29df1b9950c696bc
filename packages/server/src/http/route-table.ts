/** What lies at a path: what each of its methods leads to, and the values in its braces. */
export interface Place<Entry> {
  readonly byMethod: ReadonlyMap<string, Entry>;
  /** For a 405: `GET, HEAD, POST`. */
  readonly allow: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface RouteTable<Entry> {
  find(path: string): Place<Entry> | undefined;
}

interface Located {
  readonly method: string;
  readonly path: string;
}

interface Pattern<Entry> {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly place: Omit<Place<Entry>, "parameters">;
}

const none: Readonly<Record<string, string>> = {};

/**
 * Finds the place of a path: most are whole paths and take one look-up; the few with parameters are
 * tried in turn. Paths are compared as they were sent, so that one place has one spelling.
 */
export function routeTable<Entry extends Located>(entries: readonly Entry[]): RouteTable<Entry> {
  const whole = new Map<string, Place<Entry>>();
  const patterns: Pattern<Entry>[] = [];
  for (const [path, atPath] of Map.groupBy(entries, (entry) => entry.path)) {
    const place = placeOf(atPath);
    if (path.includes("{")) patterns.push({ ...compile(path), place });
    else whole.set(path, { ...place, parameters: none });
  }
  return {
    find: (path) => {
      const place = whole.get(path);
      if (place !== undefined) return place;
      for (const { expression, names, place: found } of patterns) {
        const match = expression.exec(path);
        if (match !== null) return { ...found, parameters: parametersOf(names, match) };
      }
      return undefined;
    },
  };
}

/** HEAD answers as GET does, without a body. */
function placeOf<Entry extends Located>(entries: readonly Entry[]): Pattern<Entry>["place"] {
  const byMethod = new Map(entries.map((entry) => [entry.method, entry]));
  const get = byMethod.get("GET");
  if (get !== undefined) byMethod.set("HEAD", get);
  return { byMethod, allow: [...byMethod.keys()].toSorted().join(", ") };
}

function compile(path: string): { expression: RegExp; names: readonly string[] } {
  const names = [...path.matchAll(/\{([^{}]+)\}/g)].map(([, name = ""]) => name);
  const pattern = path.replaceAll(".", "\\.").replaceAll(/\{[^{}]+\}/g, "([^/]+)");
  return { expression: new RegExp(`^${pattern}$`), names };
}

function parametersOf(names: readonly string[], match: RegExpExecArray): Record<string, string> {
  return Object.fromEntries(names.map((name, index) => [name, match[index + 1] ?? ""]));
}
