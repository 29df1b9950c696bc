import { usageFailure, type CommandFailure } from "./failure.ts";

/** A file that was named cannot be read, for this reason. */
export function unreadableFile(path: string, error: unknown): CommandFailure {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ENOENT") return usageFailure(`${path} does not exist.`);
  if (code === "EISDIR") return usageFailure(`${path} is a folder.`);
  if (code === "EACCES") return usageFailure(`You may not read ${path}.`);
  return usageFailure(`${path} cannot be read${code === "" ? "" : ` (${code})`}.`);
}
