import { startPostgres, type PostgresServer } from "./postgres-server.ts";

let server: PostgresServer | undefined;

/** One PostgreSQL for the whole run: starting one per test file would cost a second each. */
export async function globalSetup(): Promise<void> {
  server = await startPostgres();
  // The runner starts every test file as its own process, which inherits this environment.
  process.env["IRONLEASE_TEST_POSTGRES"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
