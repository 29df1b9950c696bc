import { readFileSync } from "node:fs";
import { join } from "node:path";
import { operations } from "@ironlease/contract";
import { createLog } from "#server/adapters/system/log.ts";
import { readConfig } from "#server/config.ts";
import { openApiDocument } from "@ironlease/reference";
import { createCore } from "#server/composition/create-core.ts";
import { openDatabase } from "#server/composition/open-database.ts";
import type { Engine } from "#server/ports/db.ts";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { noActionLimits } from "#test/no-action-limits.ts";
import { assertInvariants } from "#test/rental-service.ts";
import { createTestDatabase } from "#test/test-database.ts";
import { memoryInUse } from "./memory.ts";
import { OpenApiOracle, type OpenApi } from "./openapi-oracle.ts";
import { targetOf, type Target } from "./wire.ts";
import { World } from "./world.ts";

type BySide<T> = Readonly<Record<"account" | "operator", T>>;

/** The service in a process of its own, with a world in it. */
export interface FuzzedService {
  readonly world: World;
  readonly targets: BySide<Target>;
  /** Each made from the document of its listener. */
  readonly oracles: BySide<OpenApiOracle>;
  /** Bytes in use in the service after a collection; only where it was started to be looked into. */
  memoryInUse(): Promise<number>;
  /** Ends the service, and says what it leaves behind that it should not. */
  faults(): Promise<readonly string[]>;
  stop(): Promise<void>;
}

export interface FuzzedServiceOptions {
  readonly engine: Engine;
  readonly watchesMemory?: boolean;
}

export async function startFuzzedService(options: FuzzedServiceOptions): Promise<FuzzedService> {
  const database = options.engine === "postgres" ? await createTestDatabase() : undefined;
  const place = {
    IRONLEASE_DATA: temporaryFolder(),
    ...(database === undefined ? {} : { IRONLEASE_DATABASE_URL: database.url }),
  };
  const daemon = await startIronleased(
    "preview",
    {
      ...place,
      // Whoever sends from here says where it comes from, so that what it says is read.
      IRONLEASE_TRUST_PROXY: "127.0.0.1",
      ...noActionLimits,
    },
    options.watchesMemory === true ? { nodeOptions: ["--inspect=127.0.0.1:0"] } : {},
  );
  // What the world is made of goes straight into the database: no request could make most of it.
  const config = readConfig("preview", place);
  const db = await openDatabase(config, createLog("silent"));
  let exitCode: Promise<unknown> | undefined;
  const end = () => (exitCode ??= daemon.stop());
  const stop = async () => {
    await end();
    await db.close();
    await database?.drop();
  };
  try {
    const ca = readFileSync(join(place.IRONLEASE_DATA, "tls", "ca.pem"), "utf8");
    const served = (await daemon.send("GET", "/api/openapi.json")).json as OpenApi;
    const forOperators = openApiDocument("fuzzed", operations, "operator") as unknown as OpenApi;
    return {
      world: await World.create(createCore(config, db)),
      targets: { account: targetOf(daemon.url, ca), operator: targetOf(daemon.operatorUrl, ca) },
      oracles: { account: oracleOf(served), operator: oracleOf(forOperators) },
      memoryInUse: () => memoryInUse(daemon.output()),
      faults: async () => {
        const ended = await end();
        const faults = errorsIn(daemon.output());
        if (ended !== 0) faults.push(`the service ended with ${String(ended)}`);
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

/** One for each document: compiling its schemas takes longer than starting the service. */
function oracleOf(document: OpenApi): OpenApiOracle {
  const key = JSON.stringify(document);
  const oracle = oracles.get(key) ?? new OpenApiOracle(document);
  oracles.set(key, oracle);
  return oracle;
}

const maxLines = 10;

/** What went wrong inside, whatever the answer was. */
function errorsIn(output: string): string[] {
  const lines = output.split("\n").filter((line) => /^\{"level":[56]0/.test(line));
  return lines.slice(0, maxLines).map((line) => `in the log: ${line.slice(0, 2_000)}`);
}
