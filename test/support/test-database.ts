import { randomBytes } from "node:crypto";
import { after } from "node:test";
import { startPostgresInMemory, type PostgresServer } from "./postgres-server.ts";
import { createTemplate, databaseUrl, runStatement } from "./template-database.ts";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

interface TestServer {
  readonly url: string;
  readonly template: string;
  readonly copyStrategy: string;
}

let ownServer: Promise<TestServer & { readonly server: PostgresServer }> | undefined;

// Registered at the top level, because a hook registered inside a test or a suite would stop the server
// before the next one.
after(async () => {
  const own = await ownServer;
  await own?.server.stop();
});

/** Creates an empty database with a unique name, so that tests do not share rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  return createDatabase(server.url, "");
}

/** Creates a database with all tables. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  const { template, copyStrategy } = server;
  return createDatabase(server.url, ` template ${template} strategy ${copyStrategy}`);
}

async function createDatabase(serverUrl: string, how: string): Promise<TestDatabase> {
  const name = `ironlease_test_${randomBytes(8).toString("hex")}`;
  await runStatement(serverUrl, `create database ${name}${how}`);
  return {
    url: databaseUrl(serverUrl, name),
    // A failed test may have left connections open. Without `force` they would prevent the drop.
    drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function findServer(): Promise<TestServer> {
  const { IRONLEASE_TEST_POSTGRES: url, IRONLEASE_TEST_TEMPLATE: template } = process.env;
  const { IRONLEASE_TEST_COPY_STRATEGY: copyStrategy = "wal_log" } = process.env;
  if (url !== undefined && template !== undefined) return { url, template, copyStrategy };

  // The test file runs without the global setup.
  ownServer ??= startOwnServer();
  return ownServer;
}

async function startOwnServer() {
  const server = await startPostgresInMemory();
  const { url, copyStrategy } = server;
  return { server, url, copyStrategy, template: await createTemplate(url) };
}
