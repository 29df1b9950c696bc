import { writeFileSync } from "node:fs";
import { command } from "#command.ts";
import { output } from "#output/output.ts";

export const exportAccount = command({
  words: ["account", "export"],
  summary: "Export everything that the service stores about the account.",
  description: [
    "One JSON document with complete lists: orders, servers, ledger, messages, sign-ins and more. It contains no " +
      "passwords, keys or webhook secrets. Needs a session; at most ten exports an hour.",
  ],
  options: {
    out: {
      value: "FILE",
      meaning: "Write to a new file that only you can read, instead of standard output.",
    },
  },
  examples: [
    { line: "ironlease account export --out account.json", meaning: "Keep a copy of your data." },
  ],
  run: async ({ options, context }) => {
    const client = await context.member();
    const document = await client.exportAccount(context.calling);
    const text = JSON.stringify(document, null, 2);
    const { out } = options;
    if (out === undefined) return output(document, () => [text]);
    writeFileSync(out, `${text}\n`, { flag: "wx", mode: 0o600 });
    return output({ file: out, exportedAt: document.exportedAt }, () => [`Exported to ${out}.`]);
  },
});
