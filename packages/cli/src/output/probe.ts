import { closeSync, constants, fstatSync, openSync, statfsSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** More than any response that is shown only once. */
const neededBytes = 64 * 1024;

/**
 * The system's error code if the descriptor is known to be unwritable. The probe must leave no trace, so
 * it writes to devices only, and checks a file for space and a pipe for a reader.
 */
export function writeTrouble(fd: number): string | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isCharacterDevice() && !isatty(fd)) writeSync(fd, "\n");
    if (process.platform !== "linux") return undefined;
    const path = `/proc/self/fd/${fd}`;
    if (stats.isFile()) return spaceTrouble(statfsSync(path));
    if (stats.isFIFO()) closeSync(openSync(path, constants.O_WRONLY | constants.O_NONBLOCK));
    return undefined;
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    // Another user's pipe cannot be reopened, but may still be writable.
    if (code === "EACCES" || code === "EPERM") return undefined;
    // A pipe without a reader cannot be opened for writing.
    return code === "ENXIO" ? "EPIPE" : code;
  }
}

interface Space {
  readonly blocks: number;
  readonly bavail: number;
  readonly bsize: number;
}

/** A file system without block counts does not report its space. */
export function spaceTrouble({ blocks, bavail, bsize }: Space): string | undefined {
  return blocks > 0 && bavail * bsize < neededBytes ? "ENOSPC" : undefined;
}
