import { accessSync, constants, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { missingRights } from "../../adapters/postgres/missing-rights.ts";
import { isPrivateLink, notPrivate } from "../../adapters/postgres/private-link.ts";
import { systemClock } from "../../adapters/system/clock.ts";
import { folderProblem } from "../../adapters/system/data-folder.ts";
import { inspectTls } from "../../adapters/system/tls.ts";
import {
  ConfigError,
  contradictions,
  insecureOrigins,
  parseConfig,
  previewOnly,
  type Config,
} from "../../config.ts";
import { inspectDatabase } from "../../composition/open-database.ts";
import { migrations } from "../../migrations/index.ts";
import type { Finding } from "./finding.ts";
import { secondFactorFinding } from "./second-factor-finding.ts";
import type { Environment, Print } from "../with-database.ts";

const dayMs = 86_400_000;

/** Checks everything that a start needs and changes nothing. Resolves with the exit code. */
export async function examine(env: Environment, print: Print): Promise<number> {
  let bad = 0;
  const report = ({ subject, problem, note, detail = "fine" }: Finding) => {
    if (problem !== undefined) bad += 1;
    if (problem !== undefined) print(`BAD  ${subject}: ${problem}`);
    else print(note === undefined ? `ok   ${subject}: ${detail}` : `note ${subject}: ${note}`);
  };

  const { config, findings, isPreview } = readSettings(env);
  for (const finding of findings) report(finding);
  if (config !== undefined) {
    report(clockFinding(systemClock.now()));
    report(folderFinding(config));
    report(await attempt("certificate", () => certificateFinding(config)));
    report(linkFinding(config));
    report(await attempt("database", () => databaseFinding(config)));
    report(await attempt("second factors", () => secondFactorFinding(config)));
  }
  if (bad > 0) print(`${bad} ${bad === 1 ? "problem" : "problems"} found.`);
  else
    print(
      isPreview
        ? "No problems found for preview. serve does not start with these settings."
        : "No problems found.",
    );
  return bad === 0 ? 0 : 1;
}

interface ReadSettings {
  /** Undefined where a setting cannot be read, and so nothing else can be checked. */
  readonly config?: Config;
  readonly findings: readonly Finding[];
  /** The settings are a preview's, which `serve` refuses. */
  readonly isPreview?: boolean;
}

function readSettings(env: Environment): ReadSettings {
  const subject = "settings";
  const bad = (problems: readonly string[]) => problems.map((problem) => ({ subject, problem }));
  let config: Config;
  try {
    config = parseConfig("serve", env);
  } catch (error) {
    if (error instanceof ConfigError) return { findings: bad(error.problems) };
    throw error;
  }
  const notes = previewOnly(config).map((note) => ({ subject, note }));
  const isPreview = notes.length > 0;
  const problems = [...(isPreview ? [] : contradictions(config)), ...insecureOrigins(config)];
  const findings = [...notes, ...bad(problems)];
  return { config, isPreview, findings: findings.length === 0 ? [{ subject }] : findings };
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

function folderFinding(config: Config): Finding {
  const subject = "data folder";
  const { data, databaseUrl, tls, operatorListen, secretFile } = config;
  const hasKey = operatorListen !== undefined && secretFile === undefined;
  if (databaseUrl !== undefined && tls.kind !== "self-signed" && !hasKey) {
    return { subject, detail: "not used with these settings" };
  }
  const problem = folderProblem(data);
  if (problem !== undefined) return { subject, problem };
  if (!existsSync(data)) return { subject, detail: `${data} will be made at the first start` };
  return (statSync(data).mode & 0o077) === 0
    ? { subject, detail: data }
    : { subject, problem: `others can look into ${data}: chmod 700 ${data}` };
}

async function certificateFinding(config: Config): Promise<Finding> {
  const subject = "certificate";
  if (config.tls.kind === "off") return { subject, detail: "TLS is off: a proxy must end it" };
  const tls = await inspectTls(config.tls, config.data, systemClock.now());
  if (tls === undefined) return { subject, detail: "a local one will be made at the next start" };
  const days = Math.floor((tls.expiresAt - systemClock.now()) / dayMs);
  return days < 14
    ? { subject, problem: `it expires in ${days} days: renew it` }
    : { subject, detail: `${tls.fingerprint256}, ${days} days left` };
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
  const db = await inspectDatabase(config);
  if (db === undefined) return { subject, detail: "a SQLite file will be made at the first start" };
  let pending: readonly string[];
  try {
    pending = await db.pending(migrations);
  } finally {
    await db.close();
  }
  const problem = await rightsProblem(config, pending.length > 0);
  if (problem !== undefined) return { subject, problem };
  const state =
    pending.length === 0
      ? "up to date"
      : `${pending.length} migrations are applied at the next start`;
  return { subject, detail: `${db.engine}, durable, ${state}` };
}

/** What a start may not do with a database that it can read. */
async function rightsProblem(config: Config, isMigrating: boolean): Promise<string | undefined> {
  if (config.databaseUrl !== undefined) return missingRights(config.databaseUrl, isMigrating);
  const path = join(config.data, "ironlease.db");
  try {
    accessSync(path, constants.R_OK | constants.W_OK);
    return undefined;
  } catch {
    return `${path} is not writable: chown it to the user that runs ironleased`;
  }
}
