import { DatabaseSync } from "node:sqlite";

/**
 * Preloaded into a service to show that the test can fail. After the service has set and verified SQLite's
 * sync level, this lowers it, so that power cuts must lose data.
 */
const level = process.env["WEAKER_SYNC"] ?? "";
// oxlint-disable-next-line typescript/unbound-method -- each call below passes its database as `this`
const { exec } = DatabaseSync.prototype;

DatabaseSync.prototype.exec = function execWithWeakerSync(this: DatabaseSync, sql: string): void {
  exec.call(this, sql);
  if (!sql.includes("synchronous")) return;
  queueMicrotask(() => exec.call(this, `pragma synchronous = ${level}`));
};
