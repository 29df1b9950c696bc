import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { limits } from "@ironlease/contract";
import type { Call, Print } from "#commands/command.ts";

export type FileCall = Call<{ readonly file: string }>;

/** The text of a file, without a byte order mark. */
export type ImportedText =
  | { readonly ok: true; readonly name: string; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Reads a file to import. `-` is standard input. */
export function readImportFile(file: string): ImportedText {
  const name = file === "-" ? "standard input" : file;
  const bytes = readBounded(file);
  if (typeof bytes === "string") return { ok: false, problem: `${name}: ${bytes}` };
  if (!isUtf8(bytes)) {
    return { ok: false, problem: `${name}:${firstInvalidLine(bytes)}: not valid UTF-8` };
  }
  return { ok: true, name, text: new TextDecoder().decode(bytes) };
}

/** Enough to fix at once. */
const maxShownProblems = 50;

/** Prints why a file is refused. Returns the exit code. */
export function refuseImport(problems: readonly string[], print: Print): number {
  for (const problem of problems.slice(0, maxShownProblems)) print(problem);
  const hidden = problems.length - maxShownProblems;
  if (hidden > 0) print(`… and ${hidden} more.`);
  print("Nothing was imported.");
  return 1;
}

const tooLarge = `larger than ${limits.operatorImportBytes / 1024 ** 2} MiB`;

/** The bytes, or why they cannot be read. */
function readBounded(file: string): Buffer | string {
  const source = file === "-" ? process.stdin.fd : file;
  try {
    // The size of a file is known before reading it. The size of standard input is not.
    if (file !== "-" && statSync(file).size > limits.operatorImportBytes) return tooLarge;
    const bytes = readFileSync(source);
    return bytes.length > limits.operatorImportBytes ? tooLarge : bytes;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return "no such file";
    if (code === "EISDIR") return "is a folder";
    if (code === "EACCES") return "permission denied";
    throw error;
  }
}

/** In UTF-8 no other character contains the byte of a line break, so lines can be checked separately. */
function firstInvalidLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf("\n", start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) return line;
    start = next;
  }
  return line;
}
