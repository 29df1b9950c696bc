/** Knows which methods each path takes, for paths that no route matched with the method asked for. */
export interface PathTable {
  methodsAt(target: string): readonly string[] | undefined;
}

export function pathTable(
  entries: readonly { readonly method: string; readonly path: string }[],
): PathTable {
  const methodsOf = new Map<string, Set<string>>();
  for (const { method, path } of entries) {
    const methods = methodsOf.get(path) ?? new Set();
    methodsOf.set(path, methods.add(method));
    if (method === "GET") methods.add("HEAD");
  }
  const patterns = [...methodsOf].map(([path, methods]) => ({
    pattern: new RegExp(`^${path.replaceAll(".", "\\.").replaceAll(/\{[^}]+\}/g, "[^/]+")}$`),
    methods: [...methods].toSorted(),
  }));
  return {
    methodsAt: (target) => {
      const path = target.split("?", 1)[0] ?? "";
      return patterns.find(({ pattern }) => pattern.test(path))?.methods;
    },
  };
}
