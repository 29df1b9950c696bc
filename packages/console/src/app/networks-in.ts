/** The networks that a user has typed, separated by commas or spaces. Null for none: anywhere. */
export function networksIn(text: string): readonly string[] | null {
  const networks = text.split(/[\s,]+/).filter((network) => network !== "");
  return networks.length === 0 ? null : networks;
}
