import { existsSync, statSync } from "node:fs";
import {
  clock,
  databaseLinkProblem,
  databaseRightsProblem,
  dataFolderProblem,
  inspectCertificate,
} from "#composition/inspect.ts";
import { inspectDatabase } from "#composition/open-database.ts";
import {
  ConfigError,
  contradictions,
  insecureOrigins,
  parseConfig,
  previewOnly,
  type Config,
} from "#config.ts";
import { migrations } from "#migrations/index.ts";
import { withCauses } from "#commands/causes.ts";
import type { Call } from "#commands/command.ts";
import { acmeFinding } from "./acme-finding.ts";
import { brandFinding } from "./brand-finding.ts";
import { databaseServerFindings } from "./database-server-findings.ts";
import { dnsFindings } from "./dns-findings.ts";
import type { Finding } from "./finding.ts";
import { liabilitiesFinding } from "./liabilities-finding.ts";
import { mailFinding } from "./mail-finding.ts";
import { sealedSecretFindings } from "./sealed-secret-findings.ts";
import { secondFactorFinding } from "./second-factor-finding.ts";
import { secretFileFindings } from "./secret-file-findings.ts";
import { settlementFindings } from "./settlement-findings.ts";
import { statementKeyFinding } from "./statement-key-finding.ts";

const dayMs = 86_400_000;

/** Checks everything that a start needs and changes nothing. Exit code 1 if there is a problem. */
export async function runDoctor(call: Call): Promise<number> {
  const { print, data } = call;
  let problems = 0;
  const findings: object[] = [];
  const report = (finding: Finding) => {
    const { subject, problem, note, detail = "ok" } = finding;
    findings.push({ subject, ...outcomeOf(finding) });
    if (problem !== undefined) {
      problems += 1;
      print(`BAD  ${subject}: ${problem}`);
    } else print(note === undefined ? `ok   ${subject}: ${detail}` : `note ${subject}: ${note}`);
  };

  const { config, findings: settingFindings, isPreview = false } = readSettings(call);
  for (const finding of settingFindings) report(finding);
  if (config !== undefined) {
    report(clockFinding(clock.now()));
    report(folderFinding(config));
    for (const finding of secretFileFindings(config, call.secretFiles)) report(finding);
    report(await attempt("certificate", () => certificateFinding(config)));
    report(linkFinding(config));
    report(await attempt("brand", async () => brandFinding(config)));
    const database = await attempt("database", () => databaseFinding(config));
    const reportUnless = (finding: Finding) => report(withoutRepetition(finding, database));
    report(database);
    for (const finding of await attemptAll("replication", () => databaseServerFindings(config))) {
      reportUnless(finding);
    }
    reportUnless(await attempt("second factors", () => secondFactorFinding(config)));
    report(await attempt("statement key", () => statementKeyFinding(config)));
    for (const finding of await attemptAll("sealed secrets", () => sealedSecretFindings(config))) {
      reportUnless(finding);
    }
    reportUnless(await attempt("liabilities", () => liabilitiesFinding(config)));
    for (const finding of await settlementFindings(config)) report(finding);
    report(await attempt("e-mail", () => mailFinding(config)));
    for (const finding of await dnsFindings(config)) report(finding);
  }
  data({ ok: problems === 0, previewOnly: isPreview, findings });
  if (problems > 0) print(`${problems} ${problems === 1 ? "problem" : "problems"} found.`);
  else {
    const hint = isPreview ? " These settings work for preview only, not for serve." : "";
    print(`No problems found.${hint}`);
  }
  return problems === 0 ? 0 : 1;
}

function outcomeOf({ problem, note, detail = "ok" }: Finding) {
  if (problem !== undefined) return { outcome: "problem", text: problem };
  return note === undefined ? { outcome: "ok", text: detail } : { outcome: "note", text: note };
}

/** A database that cannot be used is one problem, although several checks need it. */
function withoutRepetition(finding: Finding, database: Finding): Finding {
  const { subject, problem } = finding;
  if (problem === undefined || problem !== database.problem) return finding;
  return { subject, note: "not checked, because the database cannot be used" };
}

interface ReadSettings {
  /** Undefined if a setting cannot be read, so that nothing else can be checked. */
  readonly config?: Config;
  readonly findings: readonly Finding[];
  /** `serve` refuses these settings, but `preview` accepts them. */
  readonly isPreview?: boolean;
}

function readSettings({ env, sourceProblems }: Call): ReadSettings {
  const subject = "settings";
  const bad = (problems: readonly string[]) => problems.map((problem) => ({ subject, problem }));
  if (sourceProblems !== undefined) return { findings: bad(sourceProblems) };
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

async function attempt(subject: string, find: () => Promise<Finding>): Promise<Finding> {
  const [finding = { subject }] = await attemptAll(subject, async () => [await find()]);
  return finding;
}

async function attemptAll(
  subject: string,
  find: () => Promise<readonly Finding[]>,
): Promise<readonly Finding[]> {
  try {
    return await find();
  } catch (error) {
    return [{ subject, problem: withCauses(error) }];
  }
}

/** Sessions, renewals and certificates depend on the clock. A wrong year is easy to detect. */
function clockFinding(now: number): Finding {
  const subject = "clock";
  const isPlausible = now > Date.UTC(2026, 0, 1) && now < Date.UTC(2100, 0, 1);
  const shown = new Date(now).toISOString();
  return isPlausible
    ? { subject, detail: shown }
    : { subject, problem: `it says ${shown}: set it, and keep it in sync with NTP` };
}

function folderFinding(config: Config): Finding {
  const subject = "data folder";
  const { data, databaseUrl, tls, operatorListen, secretFile, statementKeyFile, smtp } = config;
  const needsKey = operatorListen !== undefined || smtp !== undefined;
  const hasKey = statementKeyFile === undefined || (needsKey && secretFile === undefined);
  if (databaseUrl !== undefined && tls.kind !== "self-signed" && tls.kind !== "acme" && !hasKey) {
    return { subject, detail: "not used with these settings" };
  }
  const problem = dataFolderProblem(config);
  if (problem !== undefined) return { subject, problem };
  if (!existsSync(data)) return { subject, detail: `the first start will create ${data}` };
  return (statSync(data).mode & 0o077) === 0
    ? { subject, detail: data }
    : { subject, problem: `other users can read ${data}: chmod 700 ${data}` };
}

async function certificateFinding(config: Config): Promise<Finding> {
  const subject = "certificate";
  if (config.tls.kind === "off") {
    return { subject, detail: "TLS is off: a proxy must terminate it" };
  }
  if (config.tls.kind === "acme") return acmeFinding(config);
  const tls = await inspectCertificate(config);
  if (tls === undefined) return { subject, detail: "the next start will create a local one" };
  const days = Math.floor((tls.expiresAt - clock.now()) / dayMs);
  return days < 14
    ? { subject, problem: `it expires in ${days} days: renew it` }
    : { subject, detail: `${tls.fingerprint256}, ${days} days left` };
}

function linkFinding({ databaseUrl }: Config): Finding {
  const subject = "database connection";
  if (databaseUrl === undefined) return { subject, detail: "local file" };
  const problem = databaseLinkProblem(databaseUrl);
  return problem === undefined
    ? { subject, detail: "on this machine, or encrypted and verified" }
    : { subject, problem };
}

async function databaseFinding(config: Config): Promise<Finding> {
  const subject = "database";
  const db = await inspectDatabase(config);
  if (db === undefined) return { subject, detail: "the first start will create a SQLite file" };
  let pending: readonly string[];
  try {
    pending = await db.pending(migrations);
  } finally {
    await db.close();
  }
  const problem = await databaseRightsProblem(config, pending.length > 0);
  if (problem !== undefined) return { subject, problem };
  const state =
    pending.length === 0
      ? "up to date"
      : `the next start will apply ${pending.length} pending migrations`;
  return { subject, detail: `${db.engine}, durable, ${state}` };
}
