import { csvStatement, jsonStatement } from "@ironlease/statement";
import { readStatement } from "#features/statements/read-statement.ts";
import type { Core } from "#kernel/core.ts";
import { ok } from "#kernel/result.ts";
import { readStatementKeys } from "#kernel/statement-keys.ts";
import type { Handlers } from "#http/bind.ts";
import { prefersCsv } from "#http/wire/accept.ts";
import { readPeriod } from "#http/wire/period.ts";

export function statementHandlers(core: Core): Handlers<"readStatement" | "listStatementKeys"> {
  return {
    readStatement: async ({ account, query, accept }) => {
      const period = readPeriod(query);
      if (!period.ok) return period;
      const statement = await readStatement(core, account.accountId, period.value);
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
