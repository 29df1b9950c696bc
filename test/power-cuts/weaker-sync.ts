import { DatabaseSync } from "node:sqlite";

/**
 * Loaded into a service that must then lose something: when SQLite has been told how much to sync, and
 * the service has made sure of it, it is told to sync less. A proof that finds nothing then is none.
 */
const level = process.env["WEAKER_SYNC"] ?? "";
// oxlint-disable-next-line typescript/unbound-method -- each call below says which database it is of
const { exec } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function execWeakly(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (!sql.includes("synchronous")) return;
  queueMicrotask(() => exec.call(this, `pragma synchronous = ${level}`));
};
