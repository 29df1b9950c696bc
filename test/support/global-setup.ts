import { fileURLToPath } from "node:url";
import { prepareBrowserTests } from "./browser.ts";
import { prepareTestComponents } from "./components.ts";
import { startPostgres, type PostgresServer } from "./postgres-server.ts";
import { createTemplate, runStatement } from "./template-database.ts";

let server: PostgresServer | undefined;

/**
 * One PostgreSQL for the whole run: starting one per test file would cost a second each. And one
 * build of the console and one fetch of the components, so that test files need not wait for each other.
 */
export async function globalSetup(): Promise<void> {
  await prepareBrowserTests();
  await prepareTestComponents();
  server = await startPostgres();
  // The runner starts every test file as its own process, which inherits this environment.
  process.env["IRONLEASE_TEST_POSTGRES"] = server.url;
  process.env["IRONLEASE_TEST_TEMPLATE"] = await createTemplate(server.url);
  // Two hundred processes need not each compile the same modules.
  process.env["NODE_COMPILE_CACHE"] ??= fileURLToPath(
    new URL("../../node_modules/.cache/ironlease-tests", import.meta.url),
  );
}

export async function globalTeardown(): Promise<void> {
  const { IRONLEASE_TEST_TEMPLATE: template } = process.env;
  if (server === undefined || template === undefined) return;
  await runStatement(server.url, `drop database ${template}`);
  await server.stop();
}
