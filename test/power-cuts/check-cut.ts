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
import { keyOf, lostIn, type Acknowledgement, type Call } from "./acknowledgement.ts";
import { submit, type Service } from "./client.ts";
import type { Tree } from "./power-cut.ts";
import { writeTree } from "./tree-files.ts";

/** What the clients know when the power goes. */
export interface Known {
  readonly acknowledgements: readonly Acknowledgement[];
  /** Changes that were sent and not answered: each may have been made or not. */
  readonly unanswered: readonly Call[];
}

/** So many of the latest are asked for again as a client would; of all of them the rows are looked at. */
const askedAgain = 4;

export interface CutCheck {
  readonly known: Known;
  /** The time that the service is told: of the run, whenever its log is looked at. */
  readonly now: number;
  /** Whether the whole service is started and asked, which takes longer than all of the rest. */
  readonly asks: boolean;
}

/** Opens what a cut has left as the service does, and says what is wrong with it: nothing, or a line each. */
export async function problemsAfterCut(tree: Tree, check: CutCheck): Promise<readonly string[]> {
  const root = temporaryFolder();
  const data = join(root, "data");
  try {
    writeTree(root, tree);
    await createDataFolder(data);
    const problems = await problemsInFile(join(data, "ironlease.db"), check);
    // What is damaged answers anything.
    if (problems.length > 0 || !check.asks) return problems;
    return await problemsOfService(data, check);
  } catch (error) {
    return [`it does not start: ${String(error)}`];
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

async function problemsInFile(path: string, { known, now }: CutCheck): Promise<readonly string[]> {
  const db = await openAt("sqlite", path);
  try {
    await db.migrate(migrations, now);
    return [
      ...damageIn(path),
      ...(await lostIn(db, known.acknowledgements)),
      ...(await brokenIn(db)),
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
    return [...(await problemsAsking(service, known)), ...(await brokenIn(service.core.db))];
  } finally {
    await service.close();
  }
}

function damageIn(path: string): readonly string[] {
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

export async function brokenIn(db: Db): Promise<readonly string[]> {
  const findings = await verifyInvariants(db);
  return findings.flatMap(({ title, offenders }) =>
    offenders.map(({ subject, problem }) => `${title}: ${subject}: ${problem}`),
  );
}

/** The latest answers are given again; what was not answered can be sent again, and happens once. */
async function problemsAsking(
  service: Service,
  { acknowledgements, unanswered }: Known,
): Promise<readonly string[]> {
  const problems: string[] = [];
  for (const acknowledged of acknowledgements.slice(-askedAgain)) {
    problems.push(...(await problemsAskingAgain(service, acknowledged)));
  }
  for (const call of unanswered.filter((call) => keyOf(call) !== undefined)) {
    const answer = await submit(service, call);
    if (answer.status < 300 || codeOf(answer) === "idempotency_conflict") continue;
    problems.push(`${call.method} ${call.path}, sent again, was answered ${answer.text}`);
  }
  return problems;
}

export async function problemsAskingAgain(
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
  const isKnown = call.path.endsWith("/withdrawals")
    ? codeOf(answer) === "idempotency_conflict"
    : isSame && answer.headers["idempotent-replayed"] === "true";
  return isKnown ? [] : [`${call.method} ${call.path}, asked again, was answered ${answer.text}`];
}
