import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { contracts, sharedAnvilChain } from "#test/anvil-chain.ts";
import { forSlowDaemon } from "#test/engines.ts";
import { readSettlement } from "#server/features/settlement/read-settlement.ts";
import { creditedPayments } from "./credited-payments.ts";
import { creditsOf, depositsOf, openBed } from "./deposit-bed.ts";
import { ethereum } from "./ethereum.ts";
import { instances } from "./instances.ts";
import { nodes } from "./nodes.ts";
import { reorganisations } from "./reorganisations.ts";

const { name, skip } = ethereum;
const ether = 10n ** 18n;

forSlowDaemon("sqlite", (engine) => {
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

    test("ether that no transaction brought raises an alarm, and recorded deposits raise none", async (t) => {
      const bed = await openBed(t, ethereum, engine);
      const chain = await sharedAnvilChain();
      const { address } = await bed.customer();
      await chain.send({ to: address, value: ether });
      await chain.mine(2);
      await bed.pass();
      const alarms = async () => (await readSettlement(bed.core)).alarms;
      assert.deepEqual(await alarms(), []);
      await chain.node.rpc("anvil_setBalance", [address, `0x${(ether + 7n).toString(16)}`]);
      await chain.mine();
      await bed.pass();
      const [alarm] = await alarms();
      assert.equal(alarm?.id, `UNEXPLAINED_BALANCE/ethereum-31337/${address}/ETH`);
      assert.match(alarm.detail, /holds 7 units of ETH more than its deposits/);
    });
  });
});
