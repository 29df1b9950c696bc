import { resolve } from "node:path";
import { command } from "../../command-line/command.ts";
import { output } from "../../output/output.ts";
import { record } from "../../output/table.ts";
import { readSshKeyFile } from "../../steps/ssh-key-file.ts";

export const addSshKey = command({
  words: ["ssh-key", "add"],
  summary: "Save an SSH public key to order servers with.",
  description: ["A private key is refused before anything is sent."],
  arguments: [
    { name: "name", meaning: "What to call it, up to 64 characters." },
    { name: "file", meaning: "The public key's file." },
  ],
  examples: [
    { line: "ironlease ssh-key add laptop ~/.ssh/id_ed25519.pub", meaning: "Save your own key." },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const publicKey = readSshKeyFile(resolve(context.io.cwd, args.file));
    const request = { name: args.name, publicKey };
    return output(await client.addSshKey(request, context.calling), (shown, style) =>
      record(style, [
        ["Id", shown.id],
        ["Name", shown.name],
        ["Fingerprint", shown.fingerprint],
      ]),
    );
  },
});
