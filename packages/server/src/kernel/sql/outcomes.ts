import {
  ConstraintViolation,
  DatabaseUnavailable,
  Overloaded,
  type Access,
  type OnOutcome,
  type OnTrouble,
} from "#ports/db.ts";
import type { Refusal } from "#ports/result.ts";

/** Creates the callback for the end of each read or write. */
export function outcomeOf(
  onTrouble: OnTrouble = () => {},
  onOutcome: OnOutcome = () => {},
): (access: Access) => (error?: unknown) => void {
  return (access) => (error) => {
    if (error !== undefined) reportTrouble(error, onTrouble);
    onOutcome(access, error);
  };
}

/** Reports errors of the database, and ignores others that the work threw. */
function reportTrouble(error: unknown, onTrouble: OnTrouble): void {
  if (error instanceof Overloaded) onTrouble("overloaded");
  else if (error instanceof DatabaseUnavailable) onTrouble("unavailable");
  if (error instanceof ConstraintViolation) onTrouble("constraint");
}

/** The refusal for an expected constraint violation. Undefined for every other error. */
export function refusalFor(
  error: unknown,
  violations: Readonly<Record<string, Refusal>> | undefined,
): Refusal | undefined {
  return error instanceof ConstraintViolation ? violations?.[error.constraint] : undefined;
}

/** For work that swallowed a statement's error and returned an ok. Both engines roll it back. */
export function didNotCommit(): Error {
  return new Error("the transaction did not commit: a statement failed, but the work continued");
}
