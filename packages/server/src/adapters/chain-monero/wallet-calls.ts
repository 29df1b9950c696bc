import { SettlementUnavailable } from "#ports/settlement.ts";
import { answerReader, type AnswerReader, type Fields } from "./answers.ts";
import { RpcRefusal, type MoneroRpc } from "./rpc.ts";

export const noWallet = -13;

type WalletCall = (
  method: string,
  params: object,
  signal: AbortSignal,
) => Promise<{ readonly read: AnswerReader; readonly fields: Fields }>;

/** Calls of a wallet server, with a reader for the answer. */
export interface WalletCalls {
  readonly call: WalletCall;
  /** For calls that need an open wallet: another instance of the service may be opening it at this moment. */
  readonly callOpen: WalletCall;
}

export function createWalletCalls(name: string, rpc: MoneroRpc): WalletCalls {
  const call: WalletCall = async (method, params, signal) => {
    const read = answerReader(name, method);
    return { read, fields: read.fields(await rpc.call(method, params, signal), "object") };
  };
  return {
    call,
    callOpen: async (method, params, signal) => {
      try {
        return await call(method, params, signal);
      } catch (error) {
        if (!(error instanceof RpcRefusal) || error.code !== noWallet) throw error;
        throw new SettlementUnavailable(`${name} was closed. Try again.`, { cause: error });
      }
    },
  };
}
