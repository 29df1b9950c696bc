import { csvStatement, jsonStatement } from "@ironlease/statement";
import { readStatement } from "#features/statements/read-statement.ts";
import type { Core } from "#kernel/core.ts";
import { ok, refuseField } from "#kernel/result.ts";
import { readStatementKeys } from "#kernel/statement-keys.ts";
import type { Handlers } from "#http/bind.ts";
import { prefersCsv } from "#http/wire/accept.ts";

export function statementHandlers(core: Core): Handlers<"readStatement" | "listStatementKeys"> {
  return {
    readStatement: async ({ account, query, accept }) => {
      const from = timeOf(query.from);
      const to = timeOf(query.to);
      for (const [field, time] of Object.entries({ from, to })) {
        if (Number.isNaN(time)) return refuseField(field, "must be a date that exists");
      }
      if (from !== undefined && to !== undefined && from > to) {
        return refuseField("to", "must not be before `from`");
      }
      const statement = await readStatement(core, account.accountId, { from, to });
      if (!statement.ok) return statement;
      const { frame, pages } = statement.value;
      return ok({
        status: 200,
        ...(prefersCsv(accept)
          ? { contentType: "text/csv; charset=utf-8", chunks: csvStatement(frame, pages()) }
          : {
              contentType: "application/json; charset=utf-8",
              chunks: jsonStatement(frame, pages()),
            }),
      });
    },
    listStatementKeys: async () =>
      ok({ status: 200, body: { keys: await readStatementKeys(core) } }),
  };
}

/** NaN for a date that no calendar has, such as 30 February. */
function timeOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const time = Date.parse(text);
  const isReal = !Number.isNaN(time) && new Date(time).toISOString().startsWith(text.slice(0, 10));
  return isReal ? time : Number.NaN;
}
