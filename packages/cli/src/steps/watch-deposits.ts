import { ConnectionError, type Deposit, type SessionClient } from "@ironlease/client";
import { didYouMean, nearest, type Style, widthOf } from "@ironlease/command-line";
import type { Context } from "#context.ts";
import { CommandFailure } from "#failures/failure.ts";
import { usdOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";

const everyMs = 2_000;
const usualColumns = 80;

interface Watch {
  /** Watch until everything paid to it is credited. Without an address, watch until the time is up. */
  readonly address: string | undefined;
  /** Time limit. */
  readonly mostMs: number;
}

/** Shows deposits as their confirmations arrive. */
export async function watchDeposits(
  context: Context,
  client: SessionClient,
  { address, mostMs }: Watch,
): Promise<void> {
  const view = createView(context);
  let seen: ReadonlyMap<string, string> | undefined;
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const deposits = await read(context, client, seen !== undefined);
    const watched = deposits?.filter((deposit) => isAt(deposit, address));
    if (watched !== undefined) {
      const known = seen;
      await view.show(
        watched,
        watched.filter((deposit) => known?.get(deposit.id) !== JSON.stringify(deposit)),
      );
      if (known === undefined && watched.length === 0) {
        if (address !== undefined) await refuseForeign(address, client, context);
        context.note(waitingNote(address));
      }
      seen = new Map(watched.map((deposit) => [deposit.id, JSON.stringify(deposit)]));
      const isDone = watched.length > 0 && watched.every(({ state }) => state === "CREDITED");
      if (address !== undefined && isDone) return;
    }
    if (waitedMs >= mostMs) {
      // Without an address there was nothing to wait for.
      if (address === undefined) return;
      throw notYet(address);
    }
    await context.io.wait(everyMs);
  }
}

/** Base58 addresses are case-sensitive, the others are not. */
function isAt(deposit: Pick<Deposit, "address">, address: string | undefined): boolean {
  if (address === undefined || deposit.address === address) return true;
  const isFolding = /^(?:0x|[a-z]{2,4}1|sim-)/i.test(address);
  return isFolding && deposit.address.toLowerCase() === address.toLowerCase();
}

/** Simulated, EVM, Bech32 and Base58 addresses. */
const addressSyntax =
  /^(?:sim-[a-z]{3,4}-\w+|0x[\da-f]{40}|[a-z]{2,4}1[\da-z]{20,90}|[1-9A-HJ-NP-Za-km-z]{25,110})$/i;

/** Whether the text cannot be an address of any asset. */
export function isNoAddress(text: string): boolean {
  return !addressSyntax.test(text);
}

/** The service lists this many addresses, so an older one may be missing from a full list. */
const listLength = 100;

/** Refuses a mistyped address, which would be watched for ever. */
async function refuseForeign(
  address: string,
  client: SessionClient,
  context: Context,
): Promise<void> {
  const { depositAddresses } = await client.listDepositAddresses(context.calling);
  const isOurs = depositAddresses.some((own) => isAt(own, address));
  if (isOurs || depositAddresses.length >= listLength) return;
  const near = nearest(
    address,
    depositAddresses.map((own) => own.address),
  );
  throw new CommandFailure({
    exit: "notFound",
    code: "not_found",
    message: `${address} is not a deposit address of this account.`,
    advice: [...didYouMean(near), "ironlease deposit create ASSET"],
  });
}

function waitingNote(address: string | undefined): string {
  const stop = "Ctrl-C stops watching, not the deposit.";
  if (address === undefined) return `Waiting for a payment. ${stop}`;
  return `Waiting for a payment to ${address}. ${stop}`;
}

/** Undefined if the service did not respond: a watch goes on through an outage. */
async function read(
  context: Context,
  client: SessionClient,
  isWatching: boolean,
): Promise<readonly Deposit[] | undefined> {
  try {
    return (await client.listDeposits(context.calling)).deposits;
  } catch (error) {
    if (!isWatching || !(error instanceof ConnectionError)) throw error;
    context.note("The service does not respond. Still watching.");
    return undefined;
  }
}

interface View {
  show(all: readonly Deposit[], changed: readonly Deposit[]): Promise<void>;
}

/** A terminal updates its lines in place. Other output gets one line for each change. */
function createView(context: Context): View {
  const { style, io, shared } = context;
  const isLive =
    io.stdout.isTTY === true &&
    context.format === "table" &&
    !shared.quiet &&
    shared.get === undefined;
  const one = (deposit: Deposit) => output(deposit, (shown) => depositLine(shown, style));
  if (!isLive) {
    return {
      show: async (_, changed) => {
        for (const deposit of changed) await context.print(one(deposit), true);
      },
    };
  }
  let height = 0;
  return {
    show: async (all, changed) => {
      if (changed.length === 0) return;
      if (height > 0) io.stdout.write(`\u001b[${height}A\u001b[J`);
      height = 0;
      for (const deposit of all) {
        const line = one(deposit);
        await context.print(line);
        // A long line wraps.
        height += Math.ceil(widthOf(line.text(style)) / (io.stdout.columns ?? usualColumns));
      }
    },
  };
}

function depositLine(deposit: Deposit, style: Style): string {
  const { state, confirmations, confirmationsRequired: required, amount, asset, usd } = deposit;
  const done = Math.min(confirmations, required);
  const worth = usd === null ? "" : `  ${usdOf(usd)}`;
  return [
    stateIn(style, state.padEnd(10)),
    `${style.green("#".repeat(done))}${style.dim(".".repeat(required - done))}`,
    `${confirmations} of ${required}`,
    `${amount} ${asset}${worth}`,
    style.dim(deposit.transactionId),
  ].join("  ");
}

function notYet(address: string): CommandFailure {
  return new CommandFailure({
    exit: "notYet",
    code: "not_yet",
    message: `No payment to ${address} has been credited yet.`,
    advice: ["ironlease deposit list"],
  });
}
