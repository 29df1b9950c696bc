import { randomBytes } from "node:crypto";
import { after } from "node:test";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";
import { createTemplate, databaseUrl, runStatement } from "./template-database.ts";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

interface TestServer {
  readonly url: string;
  readonly template: string;
}

let ownServer: Promise<TestServer & { readonly server: PostgresServer }> | undefined;

// The hook must be registered here: inside a test or a suite it would belong to that one, and end
// the server under the feet of the next.
after(async () => {
  const own = await ownServer;
  await own?.server.stop();
});

/** Creates an empty database with a name of its own, so that tests never see each other's rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  return createDatabase(server.url, "");
}

/** As `createTestDatabase`, with all tables in it. */
export async function createMigratedDatabase(): Promise<TestDatabase> {
  const server = await findServer();
  return createDatabase(server.url, ` template ${server.template}`);
}

async function createDatabase(serverUrl: string, how: string): Promise<TestDatabase> {
  const name = `ironlease_test_${randomBytes(8).toString("hex")}`;
  await runStatement(serverUrl, `create database ${name}${how}`);
  return {
    url: databaseUrl(serverUrl, name),
    // A test that failed half-way may have left connections behind: they must not keep it alive.
    drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function findServer(): Promise<TestServer> {
  const { IRONLEASE_TEST_POSTGRES: url, IRONLEASE_TEST_TEMPLATE: template } = process.env;
  if (url !== undefined && template !== undefined) return { url, template };

  // Somebody runs one test file by hand, without the global setup.
  ownServer ??= startOwnServer();
  return ownServer;
}

async function startOwnServer() {
  const server = await startPostgres();
  return { server, url: server.url, template: await createTemplate(server.url) };
}
