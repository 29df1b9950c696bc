import { createHash } from "node:crypto";
import { NewerDatabase, type MigrationStep, type SqlDialect } from "#ports/db.ts";

export interface AppliedStep {
  readonly name: string;
  readonly digest: string;
}

interface PendingStep {
  readonly name: string;
  readonly digest: string;
  readonly statements: readonly string[];
}

/**
 * Returns the migration steps that are not applied yet. Applied steps are frozen: if one has changed, or this
 * version does not know it, the program does not fit the data and must not start.
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
      `the database has the migration ${unknown.name}, which this version does not know: start the newer version that applied it`,
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
        `the migration ${step.name} differs from the one applied to this database: applied steps are frozen, add a new one`,
      );
    }
  }
  return pending;
}
