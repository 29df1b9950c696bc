import { addr, Transaction } from "micro-eth-signer";
import { abi, contracts, testEvmAccount, type AnvilChain } from "./anvil-chain.ts";

const { privateKey } = testEvmAccount.deriveChild(1).deriveChild(0);
if (privateKey === null) throw new Error("The test's account has no private key.");
const payingKey = privateKey;

/** The address at 1/0, which pays. */
export const payingAddress = addr.fromPrivateKey(payingKey);

/** Signs a transaction as the wallet with the account's private key does. */
export function signEvm(unsigned: string, key: Uint8Array = payingKey): string {
  return Transaction.fromHex(unsigned, false).signBy(key).toHex();
}

/** Signed variants of a transaction that pays tokens or ether, each with one change. */
export function tamperedEvm(
  unsigned: string,
  foreignAddress: string,
): Readonly<Record<string, string>> {
  const { raw } = Transaction.fromHex(unsigned, false);
  const { privateKey: otherKey } = testEvmAccount.deriveChild(0).deriveChild(0);
  const transfer = (to: string, value: bigint) => ({ data: encodeTransfer(to, value) });
  const paid = decodeTransfer(raw.data);
  return {
    amount: changed(
      unsigned,
      paid ? transfer(paid.to, paid.value + 1n) : { value: raw.value + 1n },
    ),
    destination: changed(
      unsigned,
      paid ? transfer(foreignAddress, paid.value) : { to: foreignAddress },
    ),
    contract: changed(unsigned, { to: contracts.LookAlike }),
    pin: changed(unsigned, { nonce: raw.nonce + 1n }),
    gas: changed(unsigned, { gasLimit: raw.gasLimit + 1n }),
    key: signEvm(unsigned, otherKey ?? payingKey),
    unsigned,
    nothing: "not hex",
  };
}

/** Mines a transaction that uses the nonce of another one and pays no one. Resolves to its id. */
export async function spendNonce(chain: AnvilChain, unsigned: string): Promise<string> {
  const fee = 10n ** 12n;
  const other = changed(unsigned, {
    ...{ to: payingAddress, value: 0n, data: "" },
    ...{ maxFeePerGas: fee, maxPriorityFeePerGas: fee },
  });
  const id = await chain.node.rpc<string>("eth_sendRawTransaction", [other]);
  await chain.mine();
  return id;
}

/** Where the tests' tokens store a balance. `balanceOf` is their first variable. */
export function balanceSlot({ node }: AnvilChain, address: string): Promise<string> {
  return node.rpc("web3_sha3", [`0x${address.slice(2).padStart(64, "0")}${"0".repeat(64)}`]);
}

/** Signs a transaction after a change. */
function changed(unsigned: string, change: object): string {
  const { raw } = Transaction.fromHex(unsigned, false);
  const other = new Transaction("eip1559", { ...raw, ...change } as never, { strict: false });
  return signEvm(other.toHex({ includeSignature: false }));
}

/** Undefined when it is ether that is paid. */
function decodeTransfer(data: string): { readonly to: string; readonly value: bigint } | undefined {
  const [, to, value] = /^0x.{8}.{24}(.{40})(.{64})$/.exec(data) ?? [];
  return to === undefined ? undefined : { to: `0x${to}`, value: BigInt(`0x${value}`) };
}

function encodeTransfer(to: string, value: bigint): string {
  return `0x${Buffer.from(abi.transfer.encodeInput({ to, value })).toString("hex")}`;
}
