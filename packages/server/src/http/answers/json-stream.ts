/** The members of an object: a value, or the pages of a list. */
export type StreamedMembers = Iterable<
  readonly [name: string, value: object | string] | readonly [name: string, pages: Pages]
>;

export type Pages = AsyncIterable<readonly object[]>;

/** One JSON object as a stream of chunks, none larger than a page. */
export async function* jsonStream(members: StreamedMembers): AsyncGenerator<string> {
  let before = "{";
  for (const [name, value] of members) {
    yield `${before}\n${JSON.stringify(name)}:`;
    before = ",";
    if (typeof value === "object" && Symbol.asyncIterator in value) yield* list(value);
    else yield JSON.stringify(value);
  }
  yield "\n}\n";
}

async function* list(pages: Pages): AsyncGenerator<string> {
  let before = "[";
  for await (const page of pages) {
    if (page.length === 0) continue;
    yield `${before}\n${page.map((row) => JSON.stringify(row)).join(",\n")}`;
    before = ",";
  }
  yield before === "[" ? "[]" : "]";
}
