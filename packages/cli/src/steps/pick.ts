import { CommandFailure, usageFailure } from "#failures/failure.ts";

interface Where {
  /** `server`: one of them. */
  readonly noun: string;
  readonly plural: string;
  /** The command that lists them. */
  readonly list: string;
}

/** The one of the items that is meant, by its id or else by its name, if only one has that name. */
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
    const message = `This account has no ${noun} called ${given}.`;
    throw new CommandFailure({ exit: "notFound", code: "not_found", message, advice: [list] });
  }
  if (fitting.length === 1) return only;
  throw usageFailure(
    `${fitting.length} ${plural} are called ${given}. Use the id of one:`,
    ...fitting.map(({ id }) => id),
    list,
  );
}
