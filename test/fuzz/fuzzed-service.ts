import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@ironlease/contract";
import { createLog } from "#server/adapters/system/log.ts";
import { readConfig } from "#server/config.ts";
import { openApiDocument } from "@ironlease/reference";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
import type { Engine } from "#server/ports/db.ts";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { noMailServer } from "#test/no-mail-server.ts";
import { assertInvariants } from "#test/rental-service.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { memoryInUse } from "./memory.ts";
import { OpenApiOracle, type OpenApi } from "./openapi-oracle.ts";
import { targetOf, type Target } from "./wire.ts";
import { World } from "./world.ts";

type BySide<T> = Readonly<Record<"account" | "operator", T>>;

/** The service in its own process, with test data in its database. */
export interface FuzzedService {
  readonly world: World;
  readonly targets: BySide<Target>;
  readonly oracles: BySide<OpenApiOracle>;
  /** Bytes in use in the service after a garbage collection. Needs `watchesMemory`. */
  memoryInUse(): Promise<number>;
  /** Stops the service. Returns logged errors, a bad exit code and violated invariants. */
  faults(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface FuzzedServiceOptions {
  readonly engine: Engine;
  readonly watchesMemory?: boolean;
}

export async function startFuzzedService(options: FuzzedServiceOptions): Promise<FuzzedService> {
  const database = options.engine === "postgres" ? await createTestDatabase() : undefined;
  const env = {
    IRONLEASE_DATA: temporaryFolder(),
    ...(database === undefined ? {} : { IRONLEASE_DATABASE_URL: database.url }),
  };
  const daemon = await startIronleased(
    "preview",
    {
      ...env,
      // Makes the service read X-Forwarded-For, which the fuzzer sets.
      IRONLEASE_TRUST_PROXY: "127.0.0.1",
      IRONLEASE_HARDWARE_NETWORKS: "127.0.0.0/8",
      // Its webhooks lead nowhere.
      IRONLEASE_WEBHOOKS_EVERY: "24h",
      ...noActionLimits,
      ...noMailServer,
    },
    options.watchesMemory === true ? { nodeOptions: ["--inspect=127.0.0.1:0"] } : {},
  );
  // The world is created directly in the database, because requests could not create most of it.
  const config = readConfig("preview", env);
  const db = await openDatabase(config, createLog("silent"));
  let exitCode: Promise<unknown> | undefined;
  const end = () => (exitCode ??= daemon.stop());
  const stop = async () => {
    await end();
    await db.close();
    await database?.drop();
  };
  try {
    const ca = readFileSync(join(env.IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
    const served = (await daemon.send("GET", "/api/openapi.json")).json as OpenApi;
    const forOperators = openApiDocument("fuzzed", operations, "operator") as unknown as OpenApi;
    const core = createCore(config, db);
    const world = await World.create(core);
    await signLiabilities(core);
    return {
      world,
      targets: { account: targetOf(daemon.url, ca), operator: targetOf(daemon.operatorUrl, ca) },
      oracles: { account: oracleOf(served), operator: oracleOf(forOperators) },
      memoryInUse: () => memoryInUse(daemon.output()),
      faults: async () => {
        const code = await end();
        const faults = errorsIn(daemon.output());
        if (code !== 0) faults.push(`the service exited with ${String(code)}`);
        await assertInvariants(db).catch((error: unknown) => faults.push(String(error)));
        return faults;
      },
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

const oracles = new Map<string, OpenApiOracle>();

/** Cached by document, because compiling its schemas takes longer than starting the service. */
function oracleOf(document: OpenApi): OpenApiOracle {
  const key = JSON.stringify(document);
  const oracle = oracles.get(key) ?? new OpenApiOracle(document);
  oracles.set(key, oracle);
  return oracle;
}

const maxLines = 10;

/** Errors that the service logged. */
function errorsIn(output: string): string[] {
  const lines = output.split("\n").filter((line) => /^\{"level":[56]0/.test(line));
  return lines.slice(0, maxLines).map((line) => `in the log: ${line.slice(0, 2_000)}`);
}
