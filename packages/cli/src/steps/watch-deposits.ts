import { ConnectionError, type Deposit, type SessionClient } from "@ironlease/client";
import type { Context } from "../context.ts";
import { CommandFailure } from "../failures/failure.ts";
import { usdOf } from "../output/formats.ts";
import { output } from "../output/output.ts";
import { stateIn, type Style } from "../output/style.ts";
import { widthOf } from "../output/table.ts";

const everyMs = 2_000;
const usualColumns = 80;

interface Watch {
  /** Watched until all that was paid to it is credited; without one, until somebody stops it. */
  readonly address: string | undefined;
  /** How long at most. */
  readonly mostMs: number;
}

/** Shows deposits as their confirmations come in. A payment is credited whether it is watched or not. */
export async function watchDeposits(
  context: Context,
  client: SessionClient,
  { address, mostMs }: Watch,
): Promise<void> {
  const view = createView(context);
  let seen: ReadonlyMap<string, string> | undefined;
  for (let waitedMs = 0; ; waitedMs += everyMs) {
    const deposits = await read(context, client, seen !== undefined);
    const watched = deposits?.filter((deposit) => deposit.address === (address ?? deposit.address));
    if (watched !== undefined) {
      const known = seen;
      view.show(
        watched,
        watched.filter((deposit) => known?.get(deposit.id) !== JSON.stringify(deposit)),
      );
      if (known === undefined && watched.length === 0) {
        context.note("Waiting for a payment. Ctrl-C stops watching; it is credited all the same.");
      }
      seen = new Map(watched.map((deposit) => [deposit.id, JSON.stringify(deposit)]));
      const isDone = watched.length > 0 && watched.every(({ state }) => state === "CREDITED");
      if (address !== undefined && isDone) return;
    }
    if (waitedMs >= mostMs) throw notYet();
    await context.io.wait(everyMs);
  }
}

/** Undefined when no answer came: whoever has been watching can wait a little more. */
async function read(
  context: Context,
  client: SessionClient,
  isWatching: boolean,
): Promise<readonly Deposit[] | undefined> {
  try {
    return (await client.listDeposits(context.calling)).deposits;
  } catch (error) {
    if (!isWatching || !(error instanceof ConnectionError)) throw error;
    context.note("The service does not answer. Still watching.");
    return undefined;
  }
}

interface View {
  show(all: readonly Deposit[], changed: readonly Deposit[]): void;
}

/** On a terminal the lines change where they are; elsewhere every change is a line of its own. */
function createView(context: Context): View {
  const { style, io, shared } = context;
  const isLive = io.stdout.isTTY === true && !shared.json && shared.get === undefined;
  const one = (deposit: Deposit) => output(deposit, (shown) => depositLine(shown, style));
  if (!isLive) {
    return {
      show: (_, changed) => changed.forEach((deposit) => context.print(one(deposit), true)),
    };
  }
  let height = 0;
  return {
    show: (all, changed) => {
      if (changed.length === 0) return;
      if (height > 0) io.stdout.write(`\u001b[${height}A\u001b[J`);
      height = 0;
      for (const deposit of all) {
        const line = one(deposit);
        context.print(line);
        // A line that is longer than the terminal is wide takes several.
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

function notYet(): CommandFailure {
  return new CommandFailure({
    exit: "notYet",
    code: "not_yet",
    message: "It is not credited yet. It will be when it has its confirmations.",
    advice: ["ironlease deposit list"],
  });
}
