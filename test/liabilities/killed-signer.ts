import { readConfig } from "#server/config.ts";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import { createLog } from "#server/adapters/system/log.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import type { Db } from "#server/ports/db.ts";
import { interceptQueries } from "#test/intercept-queries.ts";

/** Signs the liabilities in a process of its own, which ends with kill -9 between the signed root and the rows below. */
const config = readConfig("command", process.env);
const db = await openDatabase(config, createLog("silent"));
const write: Db["write"] = (work, violations) =>
  db.write(
    (tx) =>
      work(
        interceptQueries(tx, (query) => {
          if (query.sql.includes("liability_chunks")) process.kill(process.pid, "SIGKILL");
          return tx.executeQuery(query) as never;
        }),
      ),
    violations,
  );
await signLiabilities({ ...createCore(config, db), db: { ...db, write } });
throw new Error("The signing ended before its crash.");
