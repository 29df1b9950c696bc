import { randomBytes } from "node:crypto";
import { after } from "node:test";
import { Client } from "pg";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";

export interface TestDatabase {
  url: string;
  drop(): Promise<void>;
}

let ownServer: Promise<PostgresServer> | undefined;

// The hook must be registered here: inside a test or a suite it would belong to that one, and end
// the server under the feet of the next.
after(async () => {
  const server = await ownServer;
  await server?.stop();
});

/** Creates an empty database with a name of its own, so that tests never see each other's rows. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = await findServerUrl();
  const name = `ironlease_test_${randomBytes(8).toString("hex")}`;
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;

  await runStatement(serverUrl, `create database ${name}`);
  return {
    url: url.href,
    // A test that failed half-way may have left connections behind: they must not keep it alive.
    drop: () => runStatement(serverUrl, `drop database if exists ${name} with (force)`),
  };
}

async function findServerUrl(): Promise<string> {
  const shared = process.env["IRONLEASE_TEST_POSTGRES"];
  if (shared !== undefined) return shared;

  // Somebody runs one test file by hand, without the global setup.
  ownServer ??= startPostgres();
  const server = await ownServer;
  return server.url;
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
