import { errorsOf, isChange, type ErrorCode, type Operation } from "@ironlease/contract";

type OperationTable = Readonly<Record<string, Operation>>;

/** Kinds of operations, the widest first. Most codes belong to one of them, not to a list of names. */
const kinds: readonly (readonly [name: string, has: (operation: Operation) => boolean])[] = [
  ["every operation", () => true],
  ["every change", isChange],
  ["every operation that needs a sign-in", needsSignIn],
  [
    "every change that needs a sign-in",
    (operation) => isChange(operation) && needsSignIn(operation),
  ],
  [
    "every read that needs a sign-in",
    (operation) => !isChange(operation) && needsSignIn(operation),
  ],
  ["every operation with an identifier in its path", ({ path }) => path.includes("{")],
  ["every operation that takes an `Idempotency-Key`", ({ idempotency }) => idempotency !== "none"],
];

function needsSignIn({ access }: Operation): boolean {
  return access.kind !== "public";
}

/** Which operations can answer with a code: the name of their kind, or else each by itself. */
export function operationsAnswering(
  code: ErrorCode,
  table: OperationTable,
): string | readonly (readonly [id: string, operation: Operation])[] {
  const all = Object.entries(table);
  const answering = all.filter(([, operation]) => errorsOf(operation).includes(code));
  if (answering.length === 0) return noOperation[code] ?? [];
  const kind = kinds.find(([, has]) =>
    all.every(([id, operation]) => has(operation) === answering.some(([other]) => other === id)),
  );
  return kind === undefined || answering.length === 1 ? answering : kind[0];
}

const noOperation: Partial<Record<ErrorCode, string>> = {
  method_not_allowed: "a path that is asked with a method that it does not take",
};
