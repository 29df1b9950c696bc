import { writeFileSync } from "node:fs";
import { usageFailure } from "#failures/failure.ts";

/** Writes a new file that only its owner can read. Never replaces one. */
export function createFile(file: string, text: string): void {
  try {
    writeFileSync(file, text, { flag: "wx", mode: 0o600 });
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "EEXIST") throw usageFailure(`${file} exists. Choose another name.`);
    throw usageFailure(`${file} cannot be written (${code}).`);
  }
}
