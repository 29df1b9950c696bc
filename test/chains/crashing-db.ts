import type { Db } from "#server/ports/db.ts";

/** A database whose process ends with kill -9 just before a commit: 1 for the first. */
export function crashingDb(db: Db, beforeCommit: number): Db {
  let commits = 0;
  const write: Db["write"] = (work, ...rest) =>
    db.write(
      async (tx) => {
        const result = await work(tx);
        commits += 1;
        if (commits === beforeCommit) process.kill(process.pid, "SIGKILL");
        return result;
      },
      ...rest,
    );
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
