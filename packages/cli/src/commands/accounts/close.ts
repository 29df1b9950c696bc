import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const closeAccount = command({
  words: ["account", "close"],
  summary: "Close the account for good.",
  description: [
    "The account must have no servers, no held money, no deposit on its way and a balance of zero. All sessions, " +
      "API keys and webhooks end, personal data is erased, and the username is free again. Orders, deposits, " +
      "withdrawals and the ledger stay, because accounting needs them. It cannot be undone.",
    "If the connection is lost, sign in: if the service refuses, the account is closed.",
  ],
  secret: true,
  asks: true,
  fields: ["closed"],
  examples: [
    { line: "ironlease account close", meaning: "Asks for the username and the password." },
  ],
  run: async ({ context }) => {
    const client = await context.member();
    const { username } = await client.readAccount(context.calling);
    await context.confirm({
      text: `Close the account ${username}? It cannot be undone. To keep a copy of your data, run "${context.suggest("ironlease account export --out FILE")}" first.`,
      word: username,
    });
    const [password = ""] = await context.secrets({ question: "Password" });
    await client.closeAccount({ password }, context.calling);
    return output({ closed: true }, () => [
      "Account closed. Its personal data is erased, and the username is free again.",
    ]);
  },
});
