import { closeSync, constants, fstatSync, openSync, statfsSync, writeSync } from "node:fs";
import { isatty } from "node:tty";

/** More than any answer that is shown once takes. */
const neededBytes = 64 * 1024;

/**
 * Why nothing can be written there, as a system's code; undefined when nothing speaks against it. It
 * must leave no trace, so only devices are written to: a file is asked for its space, a pipe for its
 * reader. What cannot be known beforehand is found out when the answer is written.
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
    // Another user's pipe cannot be opened again, which says nothing about writing to it.
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

/** A file system that counts no blocks says nothing about its space. */
export function spaceTrouble({ blocks, bavail, bsize }: Space): string | undefined {
  return blocks > 0 && bavail * bsize < neededBytes ? "ENOSPC" : undefined;
}
