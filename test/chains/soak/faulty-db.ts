import { DatabaseUnavailable, type Db } from "#server/ports/db.ts";

export interface CommitFault {
  /** 0 for the first write. */
  readonly write: number;
  /** Whether the transaction commits before the process is gone. */
  readonly commits: boolean;
}

/** A database whose process is gone at one of its writes. Nothing works through it afterwards. */
export function faultyDb(db: Db, fault: CommitFault): Db {
  let writes = 0;
  let isGone = false;
  const crash = (): never => {
    isGone = true;
    throw new DatabaseUnavailable("The process is gone.");
  };
  const write: Db["write"] = async (work, ...rest) => {
    if (isGone) return crash();
    const isFaulty = writes === fault.write;
    writes += 1;
    if (!isFaulty) return db.write(work, ...rest);
    if (!fault.commits) {
      return db.write(
        async (tx) => {
          await work(tx);
          return crash();
        },
        ...rest,
      );
    }
    await db.write(work, ...rest);
    return crash();
  };
  return new Proxy(db, {
    get: (target, name) => {
      if (name === "write") return write;
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? (value.bind(target) as unknown) : value;
    },
  });
}
