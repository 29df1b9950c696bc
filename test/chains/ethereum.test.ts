import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contracts, sharedAnvilChain } from "#test/anvil-chain.ts";
import { forEachEngine } from "#test/engines.ts";
import { creditedPayments } from "./credited-payments.ts";
import { creditsOf, depositsOf, openBed } from "./deposit-bed.ts";
import { ethereum } from "./ethereum.ts";
import { instances } from "./instances.ts";
import { nodes } from "./nodes.ts";
import { reorganisations } from "./reorganisations.ts";

const { name, skip } = ethereum;
const ether = 10n ** 18n;

forEachEngine((engine) => {
  describe(`deposits through ${name}`, { skip }, () => {
    creditedPayments(ethereum, engine);
    reorganisations(ethereum, engine);
    nodes(ethereum, engine);
    instances(ethereum, engine);

    test("every asset of the chain is credited at one address, and a log that moves in its block only once", async (t) => {
      const bed = await openBed(t, ethereum, engine);
      const chain = await sharedAnvilChain();
      const { accountId, address } = await bed.customer();
      const first = await chain.payTokens(contracts.Usdt, { address, units: 3_000_000n });
      await chain.payTokens(contracts.Usdc, { address, units: 2_000_000n });
      await chain.send({ to: address, value: ether });
      await chain.mine(2);
      assert.deepEqual(await bed.pass(), { seen: 3, credited: 3, gone: 0 });
      const rows = await depositsOf(bed.core, accountId);
      assert.deepEqual(rows.map(({ asset, usd_cents: cents }) => `${asset} ${cents}`).toSorted(), [
        "ETH 10000",
        "USDC 200",
        "USDT 300",
      ]);

      // The first one is replaced, so the logs of the others have other indexes in their block.
      await chain.doubleSpend(first);
      await chain.mine();
      assert.deepEqual(await bed.pass(), { seen: 0, credited: 0, gone: 0 });
      const credits = await creditsOf(bed.core, accountId);
      assert.deepEqual(new Set(credits), new Set([10_000, 200, 300]));
      const lost = await depositsOf(bed.core, accountId);
      assert.deepEqual(
        lost.filter(({ lost_at: at }) => at !== null).map(({ asset }) => asset),
        ["USDT"],
      );
    });
  });
});
