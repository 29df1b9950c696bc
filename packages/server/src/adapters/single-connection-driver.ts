import type { DatabaseConnection, Driver } from "kysely";

/** A Kysely driver over one given connection. Transactions are `db.write`'s business, never Kysely's. */
export function driverOver(connection: DatabaseConnection): Driver {
  return {
    init: async () => {},
    acquireConnection: async () => connection,
    releaseConnection: async () => {},
    beginTransaction: refuseTransaction,
    commitTransaction: refuseTransaction,
    rollbackTransaction: refuseTransaction,
    destroy: async () => {},
  };
}

function refuseTransaction(): Promise<void> {
  throw new Error("transactions are made by db.write");
}
