/** The entry of that name, if there is one: what every object inherits is none. */
export function lookUp<Value>(
  entries: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
