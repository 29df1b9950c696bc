import { limits } from "@ironlease/contract";
import { sql } from "kysely";
import type { Core } from "#kernel/core.ts";
import { readUtcTime } from "#kernel/iso-time.ts";
import type { Result } from "#ports/result.ts";
import { ok, refuseField } from "#kernel/result.ts";

export interface AuditFilter {
  /** An id, a username, `system` or `nobody`. */
  readonly actor?: string | undefined;
  /** An exact action, or a prefix when it ends with a dot. */
  readonly action?: string | undefined;
  readonly subject?: string | undefined;
  /** Inclusive. */
  readonly since?: string | undefined;
  /** Exclusive. */
  readonly until?: string | undefined;
  /** The last id of the previous page. */
  readonly after?: string | undefined;
}

export interface AuditRecord {
  readonly id: string;
  readonly at: number;
  readonly actor: string;
  readonly actorName: string | null;
  readonly action: string;
  readonly subject: string;
  readonly detail: Readonly<Record<string, unknown>>;
  readonly ipAddress: string;
}

/** A page of the audit log, newest first. */
export async function listAudit(
  core: Core,
  filter: AuditFilter,
): Promise<Result<readonly AuditRecord[]>> {
  const since = readTime("since", filter.since);
  if (!since.ok) return since;
  const until = readTime("until", filter.until);
  if (!until.ok) return until;
  const bounds = {
    from: since.value === undefined ? undefined : core.ids.floor("auditEntry", since.value),
    before: earliest(
      until.value === undefined ? undefined : core.ids.floor("auditEntry", until.value),
      given(filter.after),
    ),
    subject: given(filter.subject),
  };
  const actors = await actorsNamed(core, given(filter.actor));
  const actions = await actionsNamed(core, given(filter.action));
  const pages: AuditRecord[][] = [];
  for (const actor of actors) {
    for (const action of actions) pages.push(await readPage(core, { ...bounds, actor, action }));
  }
  const newestFirst = pages.flat().toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return ok(newestFirst.slice(0, limits.listLength));
}

interface Selection {
  readonly from: string | undefined;
  readonly before: string | undefined;
  readonly actor: string | undefined;
  readonly action: string | undefined;
  readonly subject: string | undefined;
}

/** One value per column, so that an index returns the page in order without sorting. */
async function readPage({ db }: Core, selection: Selection): Promise<AuditRecord[]> {
  const { from, before, actor, action, subject } = selection;
  let query = db.read
    .selectFrom("audit")
    .leftJoin("operators", "operators.id", "audit.actor")
    .leftJoin("accounts", "accounts.id", "audit.actor")
    .select(["audit.id", "audit.at", "audit.actor", "audit.action", "audit.subject"])
    .select(["audit.detail", "audit.ip_address as ipAddress"])
    .select(({ fn }) => fn.coalesce("operators.username", "accounts.username").as("actorName"))
    .orderBy("audit.id", "desc")
    .limit(limits.listLength);
  if (from !== undefined) query = query.where("audit.id", ">=", from);
  if (before !== undefined) query = query.where("audit.id", "<", before);
  if (actor !== undefined) query = query.where("audit.actor", "=", actor);
  if (action !== undefined) query = query.where("audit.action", "=", action);
  if (subject !== undefined) query = query.where("audit.subject", "=", subject);
  return (await query.execute()).map((row) => ({
    ...row,
    detail: JSON.parse(row.detail) as AuditRecord["detail"],
  }));
}

/** The ids behind a username, which an operator and a customer may share. Undefined means any actor. */
async function actorsNamed(
  { db }: Core,
  name: string | undefined,
): Promise<readonly (string | undefined)[]> {
  if (name === undefined || name === "system" || name === "nobody") return [name];
  const username = name.toLowerCase();
  const [operators, accounts] = await Promise.all([
    db.read.selectFrom("operators").select("id").where("username", "=", username).execute(),
    db.read.selectFrom("accounts").select("id").where("username", "=", username).execute(),
  ]);
  return [name, ...operators.map(({ id }) => id), ...accounts.map(({ id }) => id)];
}

/** The service records fewer distinct actions than this. */
const maxActions = 1_000;

/**
 * The actions with this prefix. Each index lookup skips to the next distinct action, so a rare prefix does not scan
 * the whole audit log.
 */
async function actionsNamed(
  { db }: Core,
  action: string | undefined,
): Promise<readonly (string | undefined)[]> {
  if (action === undefined || !action.endsWith(".")) return [action];
  const { rows } = await sql<{ action: string }>`
    with recursive found (action) as (
      select min(action) from audit
      union all
      select (select min(audit.action) from audit where audit.action > found.action)
      from found where found.action is not null
    )
    select action from found where action is not null limit ${sql.lit(maxActions)}
  `.execute(db.read);
  return rows.map((row) => row.action).filter((known) => known.startsWith(action));
}

function readTime(field: string, text: string | undefined): Result<number | undefined> {
  if (given(text) === undefined || text === undefined) return ok(undefined);
  const at = readUtcTime(text);
  return at === undefined
    ? refuseField(field, "must be a time in UTC such as 2026-11-15T09:30:00.000Z")
    : ok(at);
}

/** An empty form field means no filter. */
function given(text: string | undefined): string | undefined {
  return text === "" ? undefined : text;
}

function earliest(one: string | undefined, other: string | undefined): string | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
