import { resolve } from "node:path";
import { command } from "#command.ts";
import { CommandFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";
import { record } from "#output/table.ts";
import { readSshKeyFile } from "#steps/ssh-key-file.ts";

export const addSshKey = command({
  words: ["ssh-key", "add"],
  summary: "Save an SSH public key to order servers with.",
  description: [
    "A private key is refused before anything is sent. So is a name that another saved key has.",
  ],
  arguments: [
    { name: "name", meaning: "What to call it, up to 64 characters." },
    { name: "file", meaning: "The public key's file." },
  ],
  fields: ["id", "name", "publicKey", "fingerprint", "createdAt"],
  examples: [
    { line: "ironlease ssh-key add laptop ~/.ssh/id_ed25519.pub", meaning: "Save your own key." },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const publicKey = readSshKeyFile(resolve(context.io.cwd, args.file));
    const { sshKeys } = await client.listSshKeys(context.calling);
    const same = sshKeys.find(({ name }) => name === args.name);
    if (same !== undefined) throw nameTaken(args.name, same.fingerprint);
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

/** Orders name a key by its name, so two of one name could only be told apart by their ids. */
function nameTaken(name: string, fingerprint: string): CommandFailure {
  return new CommandFailure({
    exit: "refused",
    code: "name_taken",
    message: `A saved SSH key is called ${name} already (${fingerprint}). Nothing was sent.`,
    advice: ["Choose another name, or remove that key first:", "ironlease ssh-key list"],
  });
}
