import { CommandFailure } from "../failures/failure.ts";

interface Where {
  /** `server`: one of them, and with an s several. */
  readonly noun: string;
  /** The command that lists them. */
  readonly list: string;
}

/** The one of the items that is meant, by its id or by its name. Two of one name are nobody's guess. */
export function pickOne<Item extends { readonly id: string }>(
  items: readonly Item[],
  given: string,
  nameOf: (item: Item) => string | null,
  { noun, list }: Where,
): Item {
  const fitting = items.filter((item) => item.id === given || nameOf(item) === given);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1) return only;
  throw new CommandFailure({
    exit: "notFound",
    code: "not_found",
    message:
      fitting.length === 0
        ? `This account has no ${noun} called ${given}.`
        : `${fitting.length} ${noun}s are called ${given}: use an id.`,
    advice: [list],
  });
}
