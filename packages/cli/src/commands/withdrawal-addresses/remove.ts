import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { pickOne } from "#steps/pick.ts";

export const removeWithdrawalAddress = command({
  words: ["withdrawal-address", "remove"],
  summary: "Remove a saved withdrawal address.",
  description: ["Requested withdrawals to it are not affected."],
  arguments: [{ name: "address", meaning: "Label, address or id." }],
  asks: true,
  fields: ["id", "destination"],
  examples: [
    { line: "ironlease withdrawal-address remove cold", meaning: "Confirm, then remove it." },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const { withdrawalAddresses } = await client.listWithdrawalAddresses(context.calling);
    const where = {
      noun: "saved withdrawal address",
      plural: "saved withdrawal addresses",
      list: "ironlease withdrawal-address list",
    };
    const isLabel = withdrawalAddresses.some(({ label }) => label === args.address);
    const nameOf = isLabel
      ? ({ label }: { readonly label: string }) => label
      : ({ destination }: { readonly destination: string }) => destination;
    const { id, asset, destination } = pickOne(withdrawalAddresses, args.address, nameOf, where);
    await context.confirm({ text: `Remove the ${asset} address ${destination}?` });
    await client.removeWithdrawalAddress({ id }, context.calling);
    return output({ id, destination }, (shown) => `Removed ${shown.destination}.`);
  },
});
