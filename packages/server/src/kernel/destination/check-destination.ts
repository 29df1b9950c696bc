import type { Asset, SettlementMode } from "@ironlease/contract";
import { accepted, rejected, type Checked } from "#kernel/checked.ts";
import type { AddressNetwork } from "#ports/settlement.ts";
import type { Address } from "./address.ts";
import { bitcoin, litecoin, readBitcoinLikeAddress } from "./bitcoin.ts";
import { readEvmAddress } from "./evm.ts";
import { readMoneroAddress } from "./monero.ts";

/** Longer than any valid address, so that nothing larger is decoded or hashed. */
const longestDestination = 128;

const readers: Record<Asset, (text: string) => Address | undefined> = {
  BTC: (text) => readBitcoinLikeAddress(text, bitcoin),
  LTC: (text) => readBitcoinLikeAddress(text, litecoin),
  XMR: readMoneroAddress,
  ETH: readEvmAddress,
  USDC: readEvmAddress,
  USDT: readEvmAddress,
};

/** The networks that each mode pays on, and what people call an address there. */
const modes = {
  LIVE: { networks: ["main", "any"], wanted: "mainnet address" },
  TEST: { networks: ["test", "any"], wanted: "test-network address" },
  SIMULATED: { networks: ["main", "test", "any"], wanted: "address" },
} as const satisfies Record<SettlementMode, { networks: Address["network"][]; wanted: string }>;

/** On a connected chain its own addresses count: those of Monero's regtest are mainnet addresses. */
const modeOfNetwork = { main: "LIVE", test: "TEST" } as const;

/**
 * Whether money of this asset can be sent to the destination in this mode. A payment cannot be taken back, so nothing
 * is trimmed or repaired: the accepted text is exactly what was typed.
 */
export function checkDestination(request: {
  readonly asset: Asset;
  readonly destination: string;
  readonly mode: SettlementMode;
  /** The connected chain's. */
  readonly network?: AddressNetwork | undefined;
}): Checked<string> {
  const { asset, destination, mode, network = "any" } = request;
  const simulated = mode === "SIMULATED";
  const { wanted, networks } =
    modes[simulated || network === "any" ? mode : modeOfNetwork[network]];

  if (destination.length <= longestDestination) {
    if (destination.startsWith("sim-")) {
      if (!simulated) return rejected(`is a simulated address; send a real ${asset} ${wanted}`);
      if (isSimulatedAddress(destination, asset)) return accepted(destination);
    }
    const address = readers[asset](destination);
    if (address !== undefined) {
      const payable = networks.some((one) => one === address.network);
      if (payable) return accepted(address.normalized);
      return rejected(`is on another ${asset} network; send a ${wanted} instead`);
    }
  }

  const simulatedForm = `sim-${asset.toLowerCase()}- and lower-case letters, digits or hyphens`;
  const valid = `must be a valid ${asset} ${wanted} with a correct checksum`;
  return rejected(simulated ? `${valid}, or ${simulatedForm}` : valid);
}

/** Any `sim-` address that is not clearly another asset's. No real payment can go there. */
function isSimulatedAddress(text: string, asset: Asset): boolean {
  if (!/^sim-[a-z0-9-]{1,100}$/.test(text)) return false;
  const named = /^sim-(btc|ltc|xmr|eth|usdc|usdt)(?:-|$)/.exec(text)?.[1];
  return named === undefined || named === asset.toLowerCase();
}
