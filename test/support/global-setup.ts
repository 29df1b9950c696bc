import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { prepareTestAnvil } from "./anvil.ts";
import { prepareBrowserTests } from "./browser.ts";
import { prepareTestComponents } from "./components.ts";
import { startPostgresInMemory, type PostgresServer } from "./postgres-server.ts";
import { createSqliteTemplate, createTemplate, runStatement } from "./template-database.ts";

let server: PostgresServer | undefined;
let folder: string | undefined;

/**
 * Starts PostgreSQL once for all test files, because each start takes a second. Builds the console and fetches the
 * components once, so that concurrent test files do not do it at the same time.
 */
export async function globalSetup(): Promise<void> {
  await prepareBrowserTests();
  await prepareTestComponents();
  await prepareTestAnvil();
  server = await startPostgresInMemory();
  // The runner starts every test file as its own process, which inherits this environment.
  process.env["IRONLEASE_TEST_POSTGRES"] = server.url;
  process.env["IRONLEASE_TEST_TEMPLATE"] = await createTemplate(server.url);
  process.env["IRONLEASE_TEST_COPY_STRATEGY"] = server.copyStrategy;
  // What test files share: a migrated SQLite file, and the certificate that the first of them creates.
  folder = await mkdtemp(join(tmpdir(), "ironlease-shared-"));
  await createSqliteTemplate(folder);
  process.env["IRONLEASE_TEST_FOLDER"] = folder;
  // Lets about two hundred test processes share the compiled modules.
  process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(
    new URL("../../node_modules/.cache/ironlease-tests", import.meta.url),
  );
}

export async function globalTeardown(): Promise<void> {
  if (folder !== undefined) await rm(folder, { recursive: true, force: true });
  const { IRONLEASE_TEST_TEMPLATE: template } = process.env;
  if (server === undefined || template === undefined) return;
  await runStatement(server.url, `drop database ${template}`);
  await server.stop();
}
