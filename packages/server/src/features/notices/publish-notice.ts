import { limits } from "@ironlease/contract";
import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { currentCatalogue } from "#kernel/catalogue.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, readUtcTime } from "#kernel/iso-time.ts";
import { recordEventForMany } from "#kernel/outbox/record-event.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import type { Tx } from "#ports/db.ts";
import type { Result } from "#ports/result.ts";
import type { NoticeKind } from "#ports/schema.ts";
import type { PublishedNotice } from "./list-all-notices.ts";

interface Request {
  readonly kind: NoticeKind;
  readonly title: string;
  readonly text: string;
  readonly startsAt: string;
  readonly endsAt: string;
  readonly regionIds?: readonly string[] | undefined;
  readonly serverIds?: readonly string[] | undefined;
}

/** Publishes a notice for regions, for servers, or for everyone. */
export async function publishNotice(
  core: Core,
  call: OperatorCall,
  input: Request,
): Promise<Result<PublishedNotice>> {
  const now = core.clock.now();
  const words = readWords(input);
  if (!words.ok) return words;
  const times = readTimes(input, now);
  if (!times.ok) return times;
  const regionIds = [...new Set(input.regionIds)];
  const serverIds = [...new Set(input.serverIds)];
  return core.db.write(
    async (tx) => {
      const known = await checkTargets(tx, core, { regionIds, serverIds });
      if (!known.ok) return known;
      const number = await nextNumber(tx, now);
      if (!number.ok) return number;
      const id = core.ids.next("notice");
      const { kind } = input;
      const { title, text } = words.value;
      const { startsAt, endsAt } = times.value;
      await tx
        .insertInto("notices")
        .values({
          id,
          number: number.value,
          kind,
          title,
          text,
          starts_at: startsAt,
          ends_at: endsAt,
          is_for_all: regionIds.length + serverIds.length === 0 ? 1 : 0,
          published_by: call.operator.operatorId,
          created_at: now,
        })
        .execute();
      const targets = [
        ...regionIds.map((target) => ({ notice_id: id, kind: "REGION" as const, target })),
        ...serverIds.map((target) => ({ notice_id: id, kind: "SERVER" as const, target })),
      ];
      if (targets.length > 0) await tx.insertInto("notice_targets").values(targets).execute();
      const event = {
        type: "notice.published",
        data: { noticeId: id, kind, title, startsAt: isoTime(startsAt), endsAt: isoTime(endsAt) },
      } as const;
      const accounts = await concernedAccounts(tx, { regionIds, serverIds });
      await recordEventForMany({ tx, core }, accounts, event);
      const counts = { regions: regionIds.length, servers: serverIds.length };
      await audit({ tx, core, call }, "notice.publish", id, { kind, title, ...counts });
      const { username: publishedBy } = call.operator;
      const record = { id, kind, title, text, startsAt, endsAt, createdAt: now };
      return ok({ ...record, regionIds, serverIds, publishedBy });
    },
    { notices_number_unique: { code: "conflict", message: busy } },
  );
}

const busy = "Another operator published a notice at the same moment. Try again.";

/** White space alone is no title. */
function readWords(input: Request): Result<{ readonly title: string; readonly text: string }> {
  const [title, text] = [input.title.trim(), input.text.trim()];
  if (title === "") return refuseField("title", "must not be empty");
  if (text === "") return refuseField("text", "must not be empty");
  return ok({ title, text });
}

/** An incident may have started before. */
function readTimes(
  input: Request,
  now: number,
): Result<{ readonly startsAt: number; readonly endsAt: number }> {
  const [startsAt, endsAt] = [readUtcTime(input.startsAt), readUtcTime(input.endsAt)];
  const invalid = "must be a time in UTC such as 2026-11-15T09:30:00.000Z";
  if (startsAt === undefined) return refuseField("startsAt", invalid);
  if (endsAt === undefined) return refuseField("endsAt", invalid);
  if (endsAt <= startsAt) return refuseField("endsAt", "must be later than startsAt");
  if (endsAt <= now) return refuseField("endsAt", "must be in the future");
  return ok({ startsAt, endsAt });
}

async function checkTargets(
  tx: Tx,
  core: Core,
  { regionIds, serverIds }: Record<"regionIds" | "serverIds", readonly string[]>,
): Promise<Result<void>> {
  if (regionIds.length > 0) {
    const { document } = await currentCatalogue(tx, core);
    const strange = regionIds.findIndex((id) =>
      document.regions.every((region) => region.id !== id),
    );
    if (strange !== -1) return refuseField(`regionIds.${strange}`, "is not in the catalogue");
  }
  if (serverIds.length > 0) {
    const found = await tx
      .selectFrom("servers")
      .select("id")
      .where("id", "in", serverIds)
      .where("state", "<>", "TERMINATED")
      .execute();
    const strange = serverIds.findIndex((id) => found.every((server) => server.id !== id));
    if (strange !== -1) return refuseField(`serverIds.${strange}`, "is not a current server");
  }
  return ok();
}

/** The accounts with a subscriber and a server that the notice is about. */
async function concernedAccounts(
  tx: Tx,
  { regionIds, serverIds }: Record<"regionIds" | "serverIds", readonly string[]>,
): Promise<readonly string[] | "all"> {
  if (regionIds.length + serverIds.length === 0) return "all";
  const accounts = await tx
    .selectFrom("subscribers")
    .select("account_id as accountId")
    .distinct()
    .where("disabled_at", "is", null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom("servers")
          .select("servers.id")
          .whereRef("servers.account_id", "=", "subscribers.account_id")
          .where("servers.state", "<>", "TERMINATED")
          .where((server) =>
            server.or([
              ...(regionIds.length > 0 ? [server("servers.region_id", "in", regionIds)] : []),
              ...(serverIds.length > 0 ? [server("servers.id", "in", serverIds)] : []),
            ]),
          ),
      ),
    )
    .execute();
  return accounts.map(({ accountId }) => accountId);
}

/** Reads the number before it counts: an operator who publishes in between takes that number. */
async function nextNumber(tx: Tx, now: number): Promise<Result<number>> {
  const { last } = await tx
    .selectFrom("notices")
    .select(({ fn }) => fn.max<number | null>("number").as("last"))
    .executeTakeFirstOrThrow();
  const { current } = await tx
    .selectFrom("notices")
    .select(({ fn }) => fn.countAll<number>().as("current"))
    .where("ends_at", ">", now)
    .executeTakeFirstOrThrow();
  if (current >= limits.currentNotices) {
    return refuse("limit_reached", {
      message: `There are ${limits.currentNotices} current notices. Withdraw one first.`,
    });
  }
  return ok((last ?? 0) + 1);
}
