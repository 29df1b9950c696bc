import { didYouMean, nearest } from "@ironlease/command-line";
import { CommandFailure, usageFailure } from "#failures/failure.ts";

interface Where {
  /** Singular, such as `server`. */
  readonly noun: string;
  readonly plural: string;
  /** The command that lists the items. */
  readonly list: string;
  /** Other names that users may have meant. */
  readonly names?: readonly string[];
}

/** Finds an item by id, or else by name if the name is unique. */
export function pickOne<Item extends { readonly id: string }>(
  items: readonly Item[],
  given: string,
  nameOf: (item: Item) => string | null,
  { noun, plural, list, names = [] }: Where,
): Item {
  const byId = items.find(({ id }) => id === given);
  const fitting = byId === undefined ? items.filter((item) => nameOf(item) === given) : [byId];
  const [only] = fitting;
  if (only === undefined) {
    const message = `No ${noun} with the name or id ${given}.`;
    const known = [...names, ...items.flatMap((item) => nameOf(item) ?? [])];
    const advice = [...didYouMean(similar(given, known)), list];
    throw new CommandFailure({ exit: "notFound", code: "not_found", message, advice });
  }
  if (fitting.length === 1) return only;
  throw usageFailure(
    `${fitting.length} ${plural} are named ${given}. Use an id:`,
    ...fitting.map(({ id }) => id),
    list,
  );
}

/** Host names are often typed without their domain. */
function similar(given: string, names: readonly string[]): readonly string[] {
  const longer = names.filter((name) => name.startsWith(`${given}.`));
  return [...new Set(longer.length > 0 ? longer : nearest(given, names))];
}
