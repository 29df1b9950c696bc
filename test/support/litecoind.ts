import { mkdir, mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { readyComponent } from "./components.ts";
import { findFreePort } from "./free-port.ts";
import { superviseProcess, type SupervisedProcess } from "./supervised-process.ts";

/** A litecoind on regtest, in a scratch folder and on a port of its own. */
export interface Litecoind {
  readonly url: string;
  /** Holds `user:password`. litecoind writes a new one at every start, unless it has credentials. */
  readonly cookieFile: string;
  readonly dataFolder: string;
  /** Throws RpcError when the node refuses the call. */
  rpc<Result = unknown>(method: string, parameters?: readonly unknown[]): Promise<Result>;
  walletRpc<Result = unknown>(
    wallet: string,
    method: string,
    parameters?: readonly unknown[],
  ): Promise<Result>;
  /**
   * Kills it and keeps its data folder. A node holds its newest blocks in memory for a long time, so a
   * young chain is empty afterwards, unless the node writes its blocks first.
   */
  kill(options?: { readonly keepBlocks: boolean }): Promise<void>;
  /** Starts it again on the same port and data, after an orderly shutdown if it still runs. */
  restart(): Promise<void>;
  /** Ends it and removes its data. */
  stop(): Promise<void>;
}

export interface LitecoindOptions {
  /** In place of the cookie file. */
  readonly credentials?: { readonly user: string; readonly password: string };
  /** Further arguments; they override the usual ones. */
  readonly arguments?: readonly string[];
}

export class RpcError extends Error {
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
  }
}

const readinessChecks = 1_200;
const readinessPauseMs = 50;
const longestCallMs = 60_000;

export async function startLitecoind(options: LitecoindOptions = {}): Promise<Litecoind> {
  const port = await findFreePort();
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ironlease-litecoind-")));
  const dataFolder = join(folder, "data");
  const cookieFile = join(dataFolder, "regtest", ".cookie");
  const url = `http://127.0.0.1:${port}`;
  await mkdir(dataFolder);

  const call = async <Result>(
    path: string,
    method: string,
    parameters: readonly unknown[] = [],
  ): Promise<Result> => {
    const { credentials } = options;
    const login =
      credentials === undefined
        ? await readFile(cookieFile, "utf8")
        : `${credentials.user}:${credentials.password}`;
    return callNode<Result>(`${url}${path}`, login, method, parameters);
  };
  const run = async (): Promise<SupervisedProcess> => {
    const { programs, environment } = await readyComponent("litecoind");
    const daemon = superviseProcess({
      folder,
      environment,
      program: programs["litecoind"] ?? "",
      arguments: [...regtestArguments(dataFolder, port), ...argumentsOf(options)],
    });
    const problem = await waitUntilReady(daemon, dataFolder, () => call("/", "getrpcinfo"));
    if (problem === undefined) {
      daemon.unref();
      return daemon;
    }
    const output = await daemon.remove();
    throw new Error(`litecoind did not start:\n${output}`, { cause: problem });
  };

  let daemon = await run();
  return {
    url,
    cookieFile,
    dataFolder,
    rpc: (method, parameters) => call("/", method, parameters),
    walletRpc: (wallet, method, parameters) => call(`/wallet/${wallet}`, method, parameters),
    kill: async ({ keepBlocks } = { keepBlocks: false }) => {
      // This call writes all blocks before it counts the outputs.
      if (keepBlocks) await call("/", "gettxoutsetinfo");
      await daemon.end("SIGKILL");
    },
    restart: async () => {
      if (daemon.isRunning()) await daemon.end("SIGTERM");
      daemon = await run();
    },
    stop: async () => {
      await daemon.remove();
      // After a kill there is no watchdog left that removes the folder.
      await rm(folder, { recursive: true, force: true });
    },
  };
}

function regtestArguments(dataFolder: string, port: number): readonly string[] {
  return [
    ...["-regtest", `-datadir=${dataFolder}`, "-server", "-printtoconsole=0"],
    ...["-listen=0", "-dnsseed=0", "-discover=0", "-upnp=0"],
    ...["-rpcbind=127.0.0.1", "-rpcallowip=127.0.0.1", `-rpcport=${port}`],
    ...["-txindex=1", "-keypool=5", "-fallbackfee=0.0002"],
    // Without it the node refuses every replacement, although it reports transactions as replaceable.
    "-mempoolreplacement=1",
    // MWEB never activates. It would do so at height 431, and the node could not mine from there on.
    "-vbparams=mweb:9223372036854775806:9223372036854775807",
  ];
}

function argumentsOf({ credentials, arguments: further = [] }: LitecoindOptions) {
  if (credentials === undefined) return further;
  return [`-rpcuser=${credentials.user}`, `-rpcpassword=${credentials.password}`, ...further];
}

/** Resolves to the last problem if the node ends or does not answer, else to undefined. */
async function waitUntilReady(
  daemon: SupervisedProcess,
  dataFolder: string,
  askForLog: () => Promise<{ logpath: string }>,
): Promise<unknown> {
  let problem: unknown = "it ended at once";
  for (let check = 0; check < readinessChecks && daemon.isRunning(); check += 1) {
    try {
      const { logpath } = await askForLog();
      if (logpath.startsWith(dataFolder)) return undefined;
      problem = `another node, with its log in ${logpath}, answers on this port`;
    } catch (error) {
      // There is no cookie file yet, no listener yet, or the node is loading (-28).
      problem = error;
    }
    await delay(readinessPauseMs);
  }
  return problem;
}

async function callNode<Result>(
  url: string,
  login: string,
  method: string,
  parameters: readonly unknown[],
): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(login).toString("base64")}` },
    body: JSON.stringify({ method, params: parameters }),
    signal: AbortSignal.timeout(longestCallMs),
  });
  const text = await response.text();
  // A refusal of the login, or of too many calls at once, has no JSON.
  if (!text.startsWith("{")) throw new Error(`${method}: HTTP ${response.status} ${text}`);
  const { result, error } = JSON.parse(text) as {
    result: Result;
    error: { code: number; message: string } | null;
  };
  if (error !== null) throw new RpcError(method, error.code, error.message);
  return result;
}
