/** What became of one of many writes. `waiting` ones were not sent. */
export type Outcome =
  | { readonly kind: "waiting" }
  | { readonly kind: "sending" }
  | { readonly kind: "done" }
  | { readonly kind: "failed"; readonly error: unknown };

const atOnce = 4;

/**
 * Sends one write per item, a few at a time, and reports each outcome. A failure does not stop the others, unless
 * `stopsAll` says that they would fail too: then the rest stays waiting.
 */
export async function sendEach<Item>(
  items: readonly Item[],
  send: (item: Item) => Promise<unknown>,
  onOutcome: (item: Item, outcome: Outcome) => void,
  stopsAll: (error: unknown) => boolean,
): Promise<void> {
  const queue = [...items];
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      onOutcome(item, { kind: "sending" });
      try {
        await send(item);
        onOutcome(item, { kind: "done" });
      } catch (error) {
        onOutcome(item, { kind: "failed", error });
        if (stopsAll(error)) queue.length = 0;
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
}
