import { accessSync, constants, statSync } from "node:fs";
import { inspectSecondFactorKey } from "#composition/inspect.ts";
import { inspectDatabase } from "#composition/open-database.ts";
import type { Config } from "#config.ts";
import { accountFactors } from "#features/accounts/reseal-second-factors.ts";
import { controllerCredentials } from "#features/machines/reseal-controllers.ts";
import { webhookSecrets } from "#features/webhooks/reseal-secrets.ts";
import { findLost } from "#kernel/sealed-secrets.ts";
import { migrations } from "#migrations/index.ts";
import type { InspectedDb } from "#ports/db.ts";
import type { Finding } from "./finding.ts";

/** Whether the key opens every customer's second factor and every webhook secret, and whether stored controllers can be used. */
export async function sealedSecretFindings(config: Config): Promise<readonly Finding[]> {
  const db = await inspectDatabase(config);
  try {
    const isReady = db !== undefined && (await db.pending(migrations)).length === 0;
    if (!isReady) return [await controllerFinding(config, undefined)];
    return [
      await customerFactorFinding(config, db),
      await webhookFinding(config, db),
      await controllerFinding(config, db),
    ];
  } finally {
    await db?.close();
  }
}

async function customerFactorFinding(config: Config, db: InspectedDb): Promise<Finding> {
  const subject = "customers' second factors";
  const { sealing, path } = inspectSecondFactorKey(config);
  const lost = await findLost({ sealing }, accountFactors({ db }));
  if (lost.length === 0) return { subject, detail: "all can be opened" };
  return {
    subject,
    problem: `${lost.length} cannot be opened with the keys in ${path}, ${lost[0]} for example: add the missing key, or ask the customers to sign in with a recovery code and set up a new one`,
  };
}

async function webhookFinding(config: Config, db: InspectedDb): Promise<Finding> {
  const subject = "webhook secrets";
  const { sealing, path } = inspectSecondFactorKey(config);
  const lost = await findLost({ sealing }, webhookSecrets({ db }));
  if (lost.length === 0) return { subject, detail: "all can be opened" };
  return {
    subject,
    problem: `${lost.length} cannot be opened with the keys in ${path}, ${lost[0]} for example: add the missing key, or ask the customers to replace their secrets`,
  };
}

async function controllerFinding(config: Config, db: InspectedDb | undefined): Promise<Finding> {
  const subject = "management controllers";
  const { hardwareNetworks: networks, ipmitool } = config;
  const drivers =
    (await db?.read.selectFrom("controllers").select("driver").distinct().execute())?.map(
      ({ driver }) => driver,
    ) ?? [];
  if (networks === undefined) {
    return drivers.length === 0
      ? { subject, detail: "not used" }
      : { subject, note: "none is contacted: set IRONLEASE_HARDWARE_NETWORKS" };
  }
  if (drivers.includes("ipmi") && !canRun(ipmitool)) {
    return {
      subject,
      problem: `some use IPMI, but ${ipmitool} cannot be run: install ipmitool, or set IRONLEASE_IPMITOOL`,
    };
  }
  const { sealing, path } = inspectSecondFactorKey(config);
  const lost = db === undefined ? [] : await findLost({ sealing }, controllerCredentials({ db }));
  if (lost.length === 0) return { subject, detail: `allowed on ${networks.join(", ")}` };
  return {
    subject,
    problem: `the passwords of ${lost.length} cannot be opened with the keys in ${path}, ${lost[0]} for example: add the missing key, or set these controllers again`,
  };
}

function canRun(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    // A folder passes the check too.
    return statSync(program).isFile();
  } catch {
    return false;
  }
}
