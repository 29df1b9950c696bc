import { CommandFailure, usageFailure } from "#failures/failure.ts";

interface Where {
  /** Singular, such as `server`. */
  readonly noun: string;
  readonly plural: string;
  /** The command that lists the items. */
  readonly list: string;
}

/** Finds an item by id, or else by name if the name is unique. */
export function pickOne<Item extends { readonly id: string }>(
  items: readonly Item[],
  given: string,
  nameOf: (item: Item) => string | null,
  { noun, plural, list }: Where,
): Item {
  const byId = items.find(({ id }) => id === given);
  const fitting = byId === undefined ? items.filter((item) => nameOf(item) === given) : [byId];
  const [only] = fitting;
  if (only === undefined) {
    const message = `No ${noun} with the name or id ${given}.`;
    throw new CommandFailure({ exit: "notFound", code: "not_found", message, advice: [list] });
  }
  if (fitting.length === 1) return only;
  throw usageFailure(
    `${fitting.length} ${plural} are named ${given}. Use an id:`,
    ...fitting.map(({ id }) => id),
    list,
  );
}
