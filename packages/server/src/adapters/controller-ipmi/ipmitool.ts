import { execFile } from "node:child_process";
import {
  ControllerUnreachable,
  type ControllerCalls,
  type ControllerTarget,
} from "#ports/controllers.ts";

export interface ToolOutput {
  /** Null when the program was ended. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly isOverdue: boolean;
}

const maxOutputBytes = 64 * 1024;

/** Cipher suite 3 is what nearly every controller has. One second and two retries end a call to a dead one in six. */
const session = ["-I", "lanplus", "-C", "3", "-N", "1", "-R", "2", "-v", "-E"] as const;

/** Runs `ipmitool`. The password is in the environment of this child only, which has nothing else. */
export function runIpmitool(
  program: string,
  { address, username, credential }: ControllerTarget,
  verb: readonly string[],
  { callMs, signal }: ControllerCalls,
): Promise<ToolOutput> {
  const cut = address.lastIndexOf(":");
  const host = address.slice(0, cut).replaceAll(/^\[|\]$/g, "");
  const port = address.slice(cut + 1);
  const { promise, resolve, reject } = Promise.withResolvers<ToolOutput>();
  const overdue = AbortSignal.any([signal, AbortSignal.timeout(callMs)]);
  execFile(
    program,
    [...session, "-H", host, "-p", port, "-U", username, ...verb],
    {
      env: { IPMI_PASSWORD: credential },
      signal: overdue,
      killSignal: "SIGKILL",
      maxBuffer: maxOutputBytes,
    },
    (error, stdout, stderr) => {
      const code = error === null ? 0 : error.code;
      if (code === "ENOENT" || code === "EACCES") {
        reject(
          new ControllerUnreachable(
            `${program} is not installed on the machine of this service. Install ipmitool there.`,
          ),
        );
        return;
      }
      const exit = typeof code === "number" ? code : null;
      resolve({ code: exit, stdout, stderr, isOverdue: overdue.aborted });
    },
  );
  return promise;
}
