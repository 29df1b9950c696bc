import { readFileSync } from "node:fs";
import { usageFailure } from "#failures/failure.ts";
import { unreadableFile } from "#failures/unreadable-file.ts";

/** Longer than any public key. */
const longest = 16 * 1024;

/** Reads an SSH public key. A private key is refused here, before anything is sent. */
export function readSshKeyFile(path: string): string {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    throw unreadableFile(path, error);
  }
  if (text.includes("PRIVATE KEY")) {
    throw usageFailure(`${path} is a private key. Nothing was sent.`, `Use ${path}.pub instead.`);
  }
  if (text.length > longest) throw usageFailure(`${path} is too long to be a public key.`);
  return text.trim();
}
