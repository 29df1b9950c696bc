import assert from "node:assert/strict";
import { test } from "node:test";
import { skipWithout } from "#test/components.ts";
import { startLitecoind } from "#test/litecoind.ts";
import { watchLitecoin } from "#test/litecoin-watch.ts";

/** The block in which Litecoin's extension blocks (MWEB) begin. It must contain a transfer into them. */
const activation = 432;
const alwaysSignal = "-vbparams=mweb:0:9223372036854775807";

test(
  "transfers into, within and out of MWEB do not disturb the scan",
  {
    skip: await skipWithout("litecoind"),
  },
  async (t) => {
    const node = await startLitecoind({ arguments: [alwaysSignal] });
    t.after(() => node.stop());
    for (const wallet of ["public", "private"]) await node.rpc("createwallet", [wallet]);
    const newAddress = (wallet: string, type: string) =>
      node.walletRpc<string>(wallet, "getnewaddress", ["", type]);
    const miner = await newAddress("public", "bech32");
    const mine = (blocks: number) => node.rpc("generatetoaddress", [blocks, miner]);
    const send = (wallet: string, address: string, coins: number) =>
      node.walletRpc<string>(wallet, "sendtoaddress", [address, coins]);
    await mine(activation - 1);

    const watch = await watchLitecoin(node);
    const deposit = watch.issue();
    await send("public", await newAddress("private", "mweb"), 5);
    await watch.catchUp();
    await mine(1);
    await watch.catchUp();
    assert.equal(watch.outputs.length, 0);

    // The pool now has transactions without scripts and amounts.
    await send("private", await newAddress("private", "mweb"), 1);
    await watch.catchUp();
    await mine(1);
    await send("private", deposit, 1);
    await watch.catchUp();
    assert.equal(watch.outputs.length, 0);

    await mine(1);
    await watch.catchUp();
    assert.deepEqual(
      watch.outputs.map(({ address, amountUnits, confirmations }) => [
        address,
        amountUnits,
        confirmations,
      ]),
      [[deposit, 100_000_000n, 1]],
    );
  },
);
