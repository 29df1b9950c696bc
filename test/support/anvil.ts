import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { prepareAnvil, type AnvilState } from "../../tools/anvil.ts";
import { findFreePort } from "./free-port.ts";
import { superviseProcess } from "./supervised-process.ts";

/** An anvil that mines on request, on a port of its own. All its data is in memory. */
export interface Anvil {
  readonly url: string;
  /** Throws an error when the node refuses the call. */
  rpc<Result = unknown>(method: string, parameters?: readonly unknown[]): Promise<Result>;
  /** Starts a stopped node on the same port with the blocks that it had. */
  restart(): Promise<void>;
  /** Ends it. Its blocks are kept for `restart`. */
  kill(): Promise<void>;
  stop(): Promise<void>;
}

export interface AnvilOptions {
  readonly chainId?: number;
}

const variable = "IRONLEASE_TEST_ANVIL";
const readinessChecks = 1_200;
const readinessPauseMs = 50;
const longestCallMs = 60_000;

/** Finds or fetches anvil, and leaves the result in the environment, which test files inherit. */
export async function prepareTestAnvil(environment = process.env): Promise<AnvilState> {
  const state = await prepareAnvil();
  if (environment["CI"] === "true" && "missing" in state) throw new Error(state.missing);
  environment[variable] = JSON.stringify(state);
  return state;
}

async function stateOfAnvil(): Promise<AnvilState> {
  const known = process.env[variable];
  return known === undefined ? prepareTestAnvil() : (JSON.parse(known) as AnvilState);
}

/** For the `skip` option of a test: false, or why anvil is missing and what to install. */
export async function skipWithoutAnvil(): Promise<string | false> {
  const state = await stateOfAnvil();
  return "missing" in state ? state.missing : false;
}

export async function startAnvil({ chainId = 31_337 }: AnvilOptions = {}): Promise<Anvil> {
  const state = await stateOfAnvil();
  if ("missing" in state) throw new Error(state.missing);
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ironlease-anvil-")));
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const rpc = <Result>(method: string, parameters: readonly unknown[] = []): Promise<Result> =>
    callNode<Result>(url, method, parameters);

  const run = async () => {
    const daemon = superviseProcess({
      folder,
      environment: {},
      program: state.program,
      arguments: [
        ...state.arguments,
        ...["--host", "127.0.0.1", "--port", String(port), "--chain-id", String(chainId)],
        // Four blocks an epoch, so that blocks are final after eight more.
        ...["--no-mining", "--silent", "--slots-in-an-epoch", "4"],
      ],
    });
    for (let check = 0; check < readinessChecks && daemon.isRunning(); check += 1) {
      try {
        await rpc("eth_chainId");
        daemon.unref();
        return daemon;
      } catch {
        // It does not listen yet.
        await delay(readinessPauseMs);
      }
    }
    throw new Error(`anvil did not start:\n${await daemon.remove()}`);
  };

  let daemon = await run();
  let kept: string | undefined;
  return {
    url,
    rpc,
    kill: async () => {
      kept = await rpc<string>("anvil_dumpState", [true]);
      await daemon.end("SIGKILL");
    },
    restart: async () => {
      daemon = await run();
      await rpc("anvil_loadState", [kept]);
    },
    stop: async () => {
      await daemon.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function callNode<Result>(
  url: string,
  method: string,
  params: readonly unknown[],
): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ jsonrpc: "2.0", id: 0, method, params }),
    signal: AbortSignal.timeout(longestCallMs),
  });
  const { result, error } = (await response.json()) as {
    result: Result;
    error?: { code: number; message: string };
  };
  if (error !== undefined) throw new Error(`${method}: ${error.message} (${error.code})`);
  return result;
}
