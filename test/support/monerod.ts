import { cp } from "node:fs/promises";
import { join } from "node:path";
import { findFreePort } from "./free-port.ts";
import { startMoneroProgram, type MoneroProgram } from "./monero-program.ts";

/** A monerod without peers, on regtest unless another network is named. */
export interface Monerod extends MoneroProgram {
  /** Throws RpcRefused when the daemon refuses the call. */
  rpc<Result = Record<string, unknown>>(method: string, parameters?: object): Promise<Result>;
  /** A call outside JSON-RPC, such as `/pop_blocks`. */
  post<Result = Record<string, unknown>>(path: string, parameters?: object): Promise<Result>;
}

class RpcRefused extends Error {
  readonly code: number;

  constructor(method: string, code: number, message: string) {
    super(`${method}: ${message} (${code})`);
    this.code = code;
  }
}

const longestCallMs = 120_000;
const regtest = ["--regtest", "--fixed-difficulty", "1", "--keep-fakechain"];

export async function startMonerod(
  options: { readonly network?: readonly string[]; readonly blocks?: string } = {},
): Promise<Monerod> {
  const { network = regtest, blocks } = options;
  const program = await startMoneroProgram({
    program: "monerod",
    prepare: async (folder) => {
      if (blocks !== undefined) await cp(blocks, join(folder, "data"), { recursive: true });
    },
    arguments: async (folder) => [
      ...network,
      ...["--offline", "--no-igd", "--no-zmq", "--disable-rpc-ban"],
      ...["--data-dir", join(folder, "data")],
      ...["--p2p-bind-ip", "127.0.0.1", "--p2p-bind-port", String(await findFreePort())],
    ],
  });
  const post = <Result>(path: string, parameters: object = {}) =>
    callProgram<Result>(`${program.url}${path}`, parameters);
  return {
    ...program,
    post,
    rpc: (method, parameters) => callJsonRpc(program.url, method, parameters),
  };
}

export async function callJsonRpc<Result>(
  url: string,
  method: string,
  parameters: object = {},
): Promise<Result> {
  const body = { jsonrpc: "2.0", id: "0", method, params: parameters };
  const { result, error } = await callProgram<{
    result: Result;
    error?: { code: number; message: string };
  }>(`${url}/json_rpc`, body);
  if (error !== undefined) throw new RpcRefused(method, error.code, error.message);
  return result;
}

async function callProgram<Result>(url: string, body: object): Promise<Result> {
  const response = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
    signal: AbortSignal.timeout(longestCallMs),
  });
  if (!response.ok) throw new Error(`${url}: HTTP ${response.status}`);
  return (await response.json()) as Result;
}
