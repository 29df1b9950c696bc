import type { PlantedBug } from "../planted-bug.ts";

const evm = "packages/server/src/adapters/chain-evm";

/** Deposits and payouts on real chains. */
export const chainBugs: readonly PlantedBug[] = [
  {
    name: "log-index-of-the-block",
    thought: "The node already numbers the logs.",
    file: `${evm}/payments.ts`,
    find: "receipt.logs.findIndex(({ indexInBlock }) => indexInBlock === log.indexInBlock)",
    replace: "log.indexInBlock",
    tests: [`${evm}/scan-evm.test.ts`],
  },
  {
    name: "reverted-payout-counts-as-mined",
    thought: "A transaction in a block has been carried out.",
    file: `${evm}/payout-fate.ts`,
    find: "  if (!receipt.isSuccess) return `It was mined in block ${receipt.block.height} and reverted.`;\n",
    replace: "",
    tests: [`${evm}/payouts-evm.test.ts`],
  },
  {
    name: "any-signer-of-a-payout",
    thought: "The transaction is the prepared one, so its signature must be right.",
    file: `${evm}/payouts.ts`,
    find: "transaction.sender === from ?",
    replace: "transaction.isSigned ?",
    tests: [`${evm}/payouts-evm.test.ts`],
  },
  {
    name: "balance-promised-twice",
    thought: "The balance of the account says what it can pay.",
    file: `${evm}/prepare-payout.ts`,
    find: "quantityOf(account, tokens) - owed(unmined, order.asset)",
    replace: "quantityOf(account, tokens)",
    tests: ["test/chains/ethereum-payouts.test.ts"],
  },
  {
    name: "gas-estimated-after-the-replaced-transaction",
    thought: "The node knows best which state a transaction will run on.",
    file: `${evm}/prepare-payout.ts`,
    find: 'params: [simulated, "latest"] };',
    replace: "params: [simulated] };",
    tests: ["test/chains/ethereum-payouts.test.ts"],
  },
];
