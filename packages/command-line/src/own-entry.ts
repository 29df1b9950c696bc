/** The entry with this name. Inherited properties, such as `constructor`, are not entries. */
export function ownEntry<Value>(
  entries: Readonly<Record<string, Value>>,
  name: string,
): Value | undefined {
  return Object.hasOwn(entries, name) ? entries[name] : undefined;
}
