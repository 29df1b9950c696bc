import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readyComponent } from "./components.ts";
import { findFreePort } from "./free-port.ts";
import { superviseProcess, type SupervisedProcess } from "./supervised-process.ts";

/** One of Monero's servers, in a scratch folder and on a port of its own. */
export interface MoneroProgram {
  readonly url: string;
  readonly folder: string;
  kill(): Promise<void>;
  /** Starts it again on the same port and data, after an orderly shutdown if it still runs. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface ProgramOptions {
  readonly program: "monerod" | "monero-wallet-rpc";
  readonly arguments: (folder: string) => Promise<readonly string[]> | readonly string[];
  /** Fills the scratch folder before the first start. */
  readonly prepare?: (folder: string) => Promise<void>;
}

const readinessChecks = 1_200;
const readinessPauseMs = 50;

export async function startMoneroProgram(options: ProgramOptions): Promise<MoneroProgram> {
  const { program } = options;
  const made = await mkdtemp(join(tmpdir(), `ironlease-${program}-`));
  const folder = await realpath(made);
  await options.prepare?.(folder);
  const port = await findFreePort();
  const daemon = await run(options, folder, port);
  if (daemon.problem === undefined) return programOf(options, folder, port, daemon.process);
  await rm(folder, { recursive: true, force: true });
  throw new Error(`${program} did not start:\n${daemon.output}`, { cause: daemon.problem });
}

function programOf(
  options: ProgramOptions,
  folder: string,
  port: number,
  first: SupervisedProcess,
): MoneroProgram {
  let daemon = first;
  return {
    url: `http://127.0.0.1:${port}`,
    folder,
    kill: () => daemon.end("SIGKILL"),
    restart: async () => {
      if (daemon.isRunning()) await daemon.end("SIGTERM");
      const started = await run(options, folder, port);
      if (started.problem !== undefined) {
        throw new Error(`${options.program} did not start again:\n${started.output}`);
      }
      daemon = started.process;
    },
    stop: async () => {
      await daemon.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function run(options: ProgramOptions, folder: string, port: number) {
  const { programs, environment } = await readyComponent("monero");
  const daemon = superviseProcess({
    folder,
    environment,
    program: programs[options.program] ?? "",
    arguments: [
      ...(await options.arguments(folder)),
      ...["--rpc-bind-ip", "127.0.0.1", "--rpc-bind-port", String(port)],
      // Without it every start makes a certificate.
      ...["--rpc-ssl", "disabled", "--non-interactive"],
      ...["--log-file", join(folder, `${options.program}.log`)],
    ],
  });
  const problem = await waitUntilReady(daemon, port);
  if (problem === undefined) {
    daemon.unref();
    return { process: daemon, problem, output: "" };
  }
  // Keeps the folder, which may hold a prepared chain.
  if (daemon.isRunning()) await daemon.end("SIGKILL");
  return { process: daemon, problem, output: await daemon.remove() };
}

/** Any HTTP answer means that it listens. */
async function waitUntilReady(daemon: SupervisedProcess, port: number): Promise<unknown> {
  let problem: unknown = "it ended at once";
  for (let check = 0; check < readinessChecks && daemon.isRunning(); check += 1) {
    try {
      await fetch(`http://127.0.0.1:${port}/json_rpc`, { method: "POST", body: "{}" });
      return undefined;
    } catch (error) {
      problem = error;
    }
    await delay(readinessPauseMs);
  }
  return problem;
}
