import { isDeepStrictEqual } from "node:util";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { ensureCertificate } from "#server/adapters/system/certificate.ts";
import { createDataFolder } from "#server/adapters/system/data-folder.ts";
import { seedDemo } from "#server/commands/preview/demo.ts";
import { verifyInvariants } from "#server/features/verification/verify-invariants.ts";
import { migrations } from "#server/migrations/index.ts";
import type { Db } from "#server/ports/db.ts";
import { temporaryFolder } from "#test/daemon.ts";
import { codeOf } from "#test/https-client.ts";
import { openAt } from "#test/open-at.ts";
import { startTestService } from "#test/service.ts";
import { signInCall } from "./access-changes.ts";
import { keyOf, lostChanges, type Acknowledgement, type Call } from "./acknowledgement.ts";
import { submit, type Service } from "./client.ts";
import type { Tree } from "./power-cut.ts";
import { writeTree } from "./tree-files.ts";

/** What the clients know at the time of the cut. */
export interface ClientKnowledge {
  readonly acknowledgements: readonly Acknowledgement[];
  /** Changes that were sent but not answered. Each may or may not have taken effect. */
  readonly unanswered: readonly Call[];
}

/** Number of latest requests to repeat. The rows of all acknowledged changes are checked anyway. */
const repeatedRequests = 4;

export interface CutCheck {
  readonly known: ClientKnowledge;
  /** The service's time. A log can be checked long after its run, when the sessions would have expired. */
  readonly now: number;
  /** Whether to start the service and repeat requests, the slowest part of the check. */
  readonly checksService: boolean;
}

/** Opens the disk after a cut as the service does, and returns the problems found. */
export async function problemsAfterCut(tree: Tree, check: CutCheck): Promise<readonly string[]> {
  const root = temporaryFolder();
  const data = join(root, "data");
  try {
    writeTree(root, tree);
    await createDataFolder(data);
    const problems = await problemsInFile(join(data, "ironlease.db"), check);
    // Answers from a damaged database prove nothing.
    if (problems.length > 0 || !check.checksService) return problems;
    return await problemsOfService(data, check);
  } catch (error) {
    return [`the service does not start: ${String(error)}`];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function problemsInFile(path: string, { known, now }: CutCheck): Promise<readonly string[]> {
  const db = await openAt("sqlite", path);
  try {
    await db.migrate(migrations, now);
    return [
      ...fileDamage(path),
      ...(await lostChanges(db, known.acknowledgements)),
      ...(await brokenInvariants(db)),
    ];
  } finally {
    await db.close();
  }
}

async function problemsOfService(data: string, { known, now }: CutCheck) {
  const service = await startTestService("sqlite", {
    clock: { now: () => now },
    settings: { IRONLEASE_DATA: data, IRONLEASE_AUTH_LIMITS: "off" },
  });
  try {
    await ensureCertificate({ folder: join(data, "tls"), names: ["localhost"], now });
    await seedDemo(service.core);
    return [
      ...(await problemsWhenRepeating(service, known)),
      ...(await brokenInvariants(service.core.db)),
    ];
  } finally {
    await service.close();
  }
}

function fileDamage(path: string): readonly string[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const damage = database.prepare("pragma integrity_check(3)").all();
    const orphans = database.prepare("pragma foreign_key_check").all();
    return [...damage.filter((row) => row["integrity_check"] !== "ok"), ...orphans].map(
      (row) => `the file is damaged: ${JSON.stringify(row)}`,
    );
  } finally {
    database.close();
  }
}

export async function brokenInvariants(db: Db): Promise<readonly string[]> {
  const findings = await verifyInvariants(db);
  return findings.flatMap(({ title, offenders }) =>
    offenders.map(({ subject, problem }) => `${title}: ${subject}: ${problem}`),
  );
}

/** Repeating the latest requests must give the same answers, and unanswered requests must be repeatable. */
async function problemsWhenRepeating(
  service: Service,
  { acknowledgements, unanswered }: ClientKnowledge,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const acknowledged of acknowledgements.slice(-repeatedRequests)) {
    problems.push(...(await problemsWhenRepeated(service, acknowledged)));
  }
  for (const call of unanswered.filter((call) => keyOf(call) !== undefined)) {
    const answer = await submit(service, call);
    if (answer.status < 300 || codeOf(answer) === "idempotency_conflict") continue;
    problems.push(`${call.method} ${call.path}, retried, was answered ${answer.text}`);
  }
  return problems;
}

export async function problemsWhenRepeated(
  service: Service,
  { call, status, body, signIn }: Acknowledgement,
): Promise<readonly string[]> {
  if (signIn !== undefined) {
    const answer = await submit(service, signInCall(signIn.username, signIn.password));
    return answer.status === 200 ? [] : [`${signIn.username} cannot sign in: ${answer.text}`];
  }
  if (keyOf(call) === undefined) return [];
  const answer = await submit(service, call);
  const isSame = answer.status === status && isDeepStrictEqual(answer.json, body);
  const isReplay = call.path.endsWith("/withdrawals")
    ? codeOf(answer) === "idempotency_conflict"
    : isSame && answer.headers["idempotent-replayed"] === "true";
  return isReplay ? [] : [`${call.method} ${call.path}, repeated, was answered ${answer.text}`];
}
