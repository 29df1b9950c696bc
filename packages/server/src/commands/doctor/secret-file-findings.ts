import { statSync } from "node:fs";
import { secretFilesOf } from "#composition/secret-files.ts";
import type { Config } from "#config.ts";
import type { Finding } from "./finding.ts";

const subject = "secret files";

/** Whether every user can read a file of a secret. `others` are the files with the values of settings. */
export function secretFileFindings(config: Config, others: readonly string[]): readonly Finding[] {
  const open = new Set([...others, ...secretFilesOf(config)].filter(isOpenToEveryUser));
  if (open.size === 0) return [{ subject, detail: "none is readable by every user" }];
  return Array.from(open, (path) => ({
    subject,
    note: `every user can read ${path}: chmod o-rwx ${path}`,
  }));
}

/** False for a file that is missing or out of reach, which the check that reads it reports. */
function isOpenToEveryUser(path: string): boolean {
  // The mode says nothing there.
  if (process.platform === "win32") return false;
  try {
    return (statSync(path).mode & 0o004) !== 0;
  } catch {
    return false;
  }
}
