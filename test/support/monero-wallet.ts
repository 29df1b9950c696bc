import { cp, mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startMoneroProgram, type MoneroProgram } from "./monero-program.ts";
import { callJsonRpc } from "./monerod.ts";

/** A monero-wallet-rpc with a folder of wallets. */
export interface MoneroWallet extends MoneroProgram {
  readonly walletFolder: string;
  /** Holds `user:password` where calls need a login. */
  readonly loginFile: string | undefined;
  /** Without a login. Throws RpcRefused when the wallet refuses the call. */
  rpc<Result = Record<string, unknown>>(method: string, parameters?: object): Promise<Result>;
}

export interface WalletOptions {
  /** The daemon's address. Without one the wallet is offline, as a signer is. */
  readonly daemonUrl?: string;
  /** `user:password`. */
  readonly login?: string;
  /** A folder whose wallets it starts with. */
  readonly wallets?: string;
}

export async function startMoneroWallet(options: WalletOptions): Promise<MoneroWallet> {
  const { daemonUrl, login, wallets } = options;
  const daemon =
    daemonUrl === undefined
      ? ["--offline"]
      : ["--daemon-address", new URL(daemonUrl).host, "--trusted-daemon"];
  const program = await startMoneroProgram({
    program: "monero-wallet-rpc",
    prepare: async (folder) => {
      await mkdir(join(folder, "wallets"));
      if (wallets !== undefined) await cp(wallets, join(folder, "wallets"), { recursive: true });
      if (login !== undefined) await writeFile(join(folder, "login"), `${login}\n`);
    },
    arguments: (folder) => [
      ...daemon,
      ...["--daemon-ssl", "disabled"],
      ...(login === undefined ? ["--disable-rpc-login"] : ["--rpc-login", login]),
      ...["--wallet-dir", join(folder, "wallets")],
      ...["--shared-ringdb-dir", join(folder, "ring")],
    ],
  });
  return {
    ...program,
    walletFolder: join(program.folder, "wallets"),
    loginFile: login === undefined ? undefined : join(program.folder, "login"),
    rpc: (method, parameters) => callJsonRpc(program.url, method, parameters),
  };
}
