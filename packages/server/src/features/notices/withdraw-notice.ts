import { audit } from "#kernel/audit.ts";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { Result } from "#ports/result.ts";

/** Deletes a notice. The audit log keeps its title. */
export async function withdrawNotice(
  core: Core,
  call: OperatorCall,
  noticeId: string,
): Promise<Result<void>> {
  return core.db.write(async (tx) => {
    await tx.deleteFrom("notice_targets").where("notice_id", "=", noticeId).execute();
    const withdrawn = await tx
      .deleteFrom("notices")
      .where("id", "=", noticeId)
      .returning(["kind", "title"])
      .executeTakeFirst();
    if (withdrawn === undefined) return refuse("not_found");
    const { kind, title } = withdrawn;
    await audit({ tx, core, call }, "notice.withdraw", noticeId, { kind, title });
    return ok();
  });
}
