import { createHash } from "node:crypto";
import type { MigrationStep, SqlDialect } from "./db.ts";

export interface AppliedStep {
  readonly name: string;
  readonly digest: string;
}

interface PendingStep {
  readonly name: string;
  readonly digest: string;
  readonly statements: readonly string[];
}

/** A newer version has migrated the database: this one must not start on it. */
export class NewerDatabase extends Error {
  override readonly name = "NewerDatabase";
}

/**
 * Which steps are still to be applied. Applied steps are frozen: one that reads otherwise now, or
 * that this version does not know, means that the program and the data do not fit, so nothing starts.
 */
export function pendingSteps(
  steps: readonly MigrationStep[],
  dialect: SqlDialect,
  applied: readonly AppliedStep[],
): readonly PendingStep[] {
  const digestOf = new Map(applied.map(({ name, digest }) => [name, digest]));
  const known = new Set(steps.map((step) => step.name));
  const unknown = applied.find(({ name }) => !known.has(name));
  if (unknown !== undefined) {
    throw new NewerDatabase(
      `the database has the migration ${unknown.name}, which this version does not know: start the newer version that made it`,
    );
  }
  const pending: PendingStep[] = [];
  for (const step of steps) {
    const statements = step.statements(dialect);
    const digest = createHash("sha256").update(statements.join(";\n")).digest("hex");
    const appliedDigest = digestOf.get(step.name);
    if (appliedDigest === undefined) pending.push({ name: step.name, digest, statements });
    else if (appliedDigest !== digest) {
      throw new Error(
        `the migration ${step.name} differs from the one that made this database: applied steps are frozen, add a new one`,
      );
    }
  }
  return pending;
}
