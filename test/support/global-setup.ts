import { prepareBrowserTests } from "./browser.ts";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";

let server: PostgresServer | undefined;

/**
 * One PostgreSQL for the whole run: starting one per test file would cost a second each. And one
 * build of the console, which test files that run at once must not make for each other.
 */
export async function globalSetup(): Promise<void> {
  await prepareBrowserTests();
  server = await startPostgres();
  // The runner starts every test file as its own process, which inherits this environment.
  process.env["IRONLEASE_TEST_POSTGRES"] = server.url;
}

export async function globalTeardown(): Promise<void> {
  await server?.stop();
}
