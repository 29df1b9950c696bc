import { execFile } from "node:child_process";

/** Runs a program that kills itself. Its only argument is JSON. Resolves to the signal. */
export function runUntilKilled(program: string, options: object): Promise<NodeJS.Signals> {
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [program, JSON.stringify(options)], (error) => {
      const signal = error?.signal ?? undefined;
      if (signal === undefined) reject(error ?? new Error("The program ended without a crash."));
      else resolve(signal);
    });
  });
}
