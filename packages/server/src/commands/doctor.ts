import { accessSync, constants, existsSync, statSync } from "node:fs";
import { isPrivateLink, notPrivate } from "../adapters/postgres/private-link.ts";
import { loadTls } from "../adapters/system/tls.ts";
import { systemClock } from "../adapters/system/clock.ts";
import { ConfigError, readConfig, type Config } from "../config.ts";
import { createLog } from "../adapters/system/log.ts";
import { openDatabase } from "../main.ts";
import { migrations } from "../migrations/index.ts";
import type { Finding } from "./finding.ts";
import { secondFactorFinding } from "./second-factor-finding.ts";

const dayMs = 86_400_000;

/** Looks at everything a start needs and says how to mend what is wrong. Resolves with the exit code. */
export async function examine(
  env: Readonly<Record<string, string | undefined>>,
  print: (line: string) => void,
): Promise<number> {
  let bad = 0;
  const report = ({ subject, problem, detail }: Finding) => {
    if (problem !== undefined) bad += 1;
    print(`${problem === undefined ? "ok  " : "BAD "} ${subject}: ${problem ?? detail ?? "fine"}`);
  };

  let config: Config;
  try {
    config = readConfig("serve", env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    for (const problem of error.problems) report({ subject: "settings", problem });
    return 1;
  }
  report({ subject: "settings" });
  report(clockFinding(systemClock.now()));
  report(folderFinding(config.data));
  report(await attempt("certificate", () => certificateFinding(config)));
  report(linkFinding(config));
  report(await attempt("database", () => databaseFinding(config)));
  report(await attempt("second factors", () => secondFactorFinding(config)));
  print(bad === 0 ? "All is well." : `${bad} to mend.`);
  return bad === 0 ? 0 : 1;
}

async function attempt(subject: string, look: () => Promise<Finding>): Promise<Finding> {
  try {
    return await look();
  } catch (error) {
    return { subject, problem: error instanceof Error ? error.message : String(error) };
  }
}

/** Session ends, renewals and certificates all hang on the clock; a wrong year is seen at once. */
function clockFinding(now: number): Finding {
  const subject = "clock";
  const isPlausible = now > Date.UTC(2026, 0, 1) && now < Date.UTC(2100, 0, 1);
  const shown = new Date(now).toISOString();
  return isPlausible
    ? { subject, detail: shown }
    : { subject, problem: `it says ${shown}: set it, and keep it set with NTP` };
}

function folderFinding(folder: string): Finding {
  const subject = "data folder";
  if (!existsSync(folder)) return { subject, detail: `${folder} will be made at the first start` };
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch {
    return {
      subject,
      problem: `${folder} is not writable: chown it to the user that runs ironleased`,
    };
  }
  if ((statSync(folder).mode & 0o077) !== 0) {
    return { subject, problem: `others can look into ${folder}: chmod 700 ${folder}` };
  }
  return { subject, detail: folder };
}

async function certificateFinding(config: Config): Promise<Finding> {
  const subject = "certificate";
  if (config.tls.kind === "off") return { subject, detail: "TLS is off: a proxy must end it" };
  if (config.tls.kind === "self-signed" && !existsSync(config.data)) {
    return { subject, detail: "a local one will be made at the first start" };
  }
  const tls = await loadTls(config.tls, config.data, systemClock.now());
  const days = Math.floor(((tls?.expiresAt ?? 0) - systemClock.now()) / dayMs);
  return days < 14
    ? { subject, problem: `it expires in ${days} days: renew it` }
    : { subject, detail: `${tls?.fingerprint256 ?? ""}, ${days} days left` };
}

/** Rows and the password go over it. */
function linkFinding({ databaseUrl }: Config): Finding {
  const subject = "database link";
  if (databaseUrl === undefined) return { subject, detail: "a file" };
  return isPrivateLink(databaseUrl)
    ? { subject, detail: "on this machine, or encrypted and checked" }
    : { subject, problem: notPrivate };
}

async function databaseFinding(config: Config): Promise<Finding> {
  const subject = "database";
  if (config.databaseUrl === undefined && !existsSync(config.data)) {
    return { subject, detail: "a SQLite file will be made at the first start" };
  }
  const db = await openDatabase(config, createLog("silent"));
  try {
    await db.ping();
    const pending = await db.pending(migrations);
    const state =
      pending.length === 0
        ? "up to date"
        : `${pending.length} migrations are applied at the next start`;
    return { subject, detail: `${db.engine}, durable, ${state}` };
  } finally {
    await db.close();
  }
}
