import { isUtf8 } from "node:buffer";
import { readFileSync, statSync } from "node:fs";
import { limits } from "@ironlease/contract";
import type { Print } from "../with-database.ts";

/** The text of a file, without the byte order mark with which some editors begin one. */
export type ImportedText =
  | { readonly ok: true; readonly name: string; readonly text: string }
  | { readonly ok: false; readonly problem: string };

/** Reads a file that somebody wants imported; `-` is the standard input. */
export function readImportFile(file: string): ImportedText {
  const name = file === "-" ? "standard input" : file;
  const bytes = readBounded(file);
  if (typeof bytes === "string") return { ok: false, problem: `${name}: ${bytes}` };
  if (!isUtf8(bytes)) {
    return { ok: false, problem: `${name}:${firstBrokenLine(bytes)}: this is not valid UTF-8` };
  }
  return { ok: true, name, text: new TextDecoder().decode(bytes) };
}

/** As many as somebody mends in one go. */
const maxShownProblems = 50;

/** Says what stands in the way of an import. The exit code is the command's. */
export function refuseImport(problems: readonly string[], print: Print): number {
  for (const problem of problems.slice(0, maxShownProblems)) print(problem);
  const hidden = problems.length - maxShownProblems;
  if (hidden > 0) print(`… and ${hidden} more.`);
  print("Nothing was imported.");
  return 1;
}

const tooLarge = `it is larger than ${limits.operatorImportBytes / 1024 ** 2} MiB`;

/** The bytes, or what stands in the way. */
function readBounded(file: string): Buffer | string {
  const source = file === "-" ? process.stdin.fd : file;
  try {
    // Looked at before it is read, where its size is known before.
    if (file !== "-" && statSync(file).size > limits.operatorImportBytes) return tooLarge;
    const bytes = readFileSync(source);
    return bytes.length > limits.operatorImportBytes ? tooLarge : bytes;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "ENOENT") return "there is no such file";
    if (code === "EISDIR") return "it is a folder";
    if (code === "EACCES") return "it may not be read by this user";
    throw error;
  }
}

/** No character but the line break itself contains its byte, so each line can be judged alone. */
function firstBrokenLine(bytes: Buffer): number {
  let line = 1;
  for (let start = 0; start < bytes.length; line += 1) {
    const end = bytes.indexOf("\n", start);
    const next = end === -1 ? bytes.length : end + 1;
    if (!isUtf8(bytes.subarray(start, next))) return line;
    start = next;
  }
  return line;
}
