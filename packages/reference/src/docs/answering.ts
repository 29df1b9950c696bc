import { errorsOf, isChange, type ErrorCode, type Operation } from "@ironlease/contract";

type OperationTable = Readonly<Record<string, Operation>>;

/** Groups of operations, largest first. Most codes apply to one whole group. */
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
  ["every operation with an id in its path", ({ path }) => path.includes("{")],
  ["every operation that takes an `Idempotency-Key`", ({ idempotency }) => idempotency !== "none"],
];

function needsSignIn({ access }: Operation): boolean {
  return access.kind !== "public";
}

/** The operations that can return a code: the name of a group, or a list. */
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
  method_not_allowed: "unsupported methods of a path",
};
