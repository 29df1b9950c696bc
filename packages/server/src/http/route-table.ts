/** What a path matches: an entry per method, and the values of the path parameters. */
export interface PathMatch<Entry> {
  readonly byMethod: ReadonlyMap<string, Entry>;
  /** The Allow header of a 405, such as `GET, HEAD, POST`. */
  readonly allow: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface RouteTable<Entry> {
  find(path: string): PathMatch<Entry> | undefined;
}

interface Located {
  readonly method: string;
  readonly path: string;
}

type Methods<Entry> = Omit<PathMatch<Entry>, "parameters">;

interface Pattern<Entry> {
  readonly expression: RegExp;
  readonly names: readonly string[];
  readonly methods: Methods<Entry>;
}

const noParameters: Readonly<Record<string, string>> = {};

/**
 * Matches static paths with one map lookup, then tries the few patterns with parameters in turn. Paths
 * are compared without decoding, so that each resource has one spelling.
 */
export function routeTable<Entry extends Located>(entries: readonly Entry[]): RouteTable<Entry> {
  const fixed = new Map<string, PathMatch<Entry>>();
  const patterns: Pattern<Entry>[] = [];
  for (const [path, atPath] of Map.groupBy(entries, (entry) => entry.path)) {
    const methods = methodsOf(atPath);
    if (path.includes("{")) patterns.push({ ...compile(path), methods });
    else fixed.set(path, { ...methods, parameters: noParameters });
  }
  return {
    find: (path) => {
      const match = fixed.get(path);
      if (match !== undefined) return match;
      for (const { expression, names, methods } of patterns) {
        const values = expression.exec(path);
        if (values !== null) return { ...methods, parameters: parametersOf(names, values) };
      }
      return undefined;
    },
  };
}

/** HEAD gets the entry of GET. */
function methodsOf<Entry extends Located>(entries: readonly Entry[]): Methods<Entry> {
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
