import { acmeScope } from "#composition/acme.ts";
import { clock } from "#composition/inspect.ts";
import { inspectDatabase } from "#composition/open-database.ts";
import type { Config } from "#config.ts";
import { readState } from "#features/certificates/stored-certificate.ts";
import { migrations } from "#migrations/index.ts";
import type { Finding } from "./finding.ts";

const subject = "certificate";
const dayMs = 86_400_000;

/** The certificate that the instances share, and why the last order failed. */
export async function acmeFinding(config: Config): Promise<Finding> {
  const scope = acmeScope(config);
  const names = scope.names.join(", ");
  const db = await inspectDatabase(config);
  try {
    const isReady = db !== undefined && (await db.pending(migrations)).length === 0;
    const state = isReady ? await readState(db.read, scope) : undefined;
    if (state === undefined)
      return { subject, detail: `the next start will order one for ${names}` };
    const { expiresAt, error, dueAt } = state;
    const next = `The next attempt is at ${new Date(dueAt).toISOString()}`;
    if (expiresAt === null) {
      return error === null
        ? { subject, note: `none issued for ${names} yet: start the service, which orders one` }
        : { subject, problem: `none issued for ${names}: ${error}. ${next}` };
    }
    const days = Math.floor((expiresAt - clock.now()) / dayMs);
    const left = `${names}, ${days} days left`;
    if (error === null) return { subject, detail: left };
    const failed = `${left}, but the renewal failed: ${error}. ${next}`;
    return days < 7 ? { subject, problem: failed } : { subject, note: failed };
  } finally {
    await db?.close();
  }
}
