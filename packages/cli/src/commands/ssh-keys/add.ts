import { record } from "@ironlease/command-line";
import { resolve } from "node:path";
import { command } from "#command.ts";
import { CommandFailure } from "#failures/failure.ts";
import { output } from "#output/output.ts";
import { readSshKeyFile } from "#steps/ssh-key-file.ts";

export const addSshKey = command({
  words: ["ssh-key", "add"],
  summary: "Save an SSH public key.",
  description: [
    "Refuses a private key, or a name that is already in use, before anything is sent.",
  ],
  arguments: [
    { name: "name", meaning: "Name of the key, up to 64 characters." },
    { name: "file", meaning: "Public key file." },
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

/** Orders refer to keys by name, so two keys with the same name would be ambiguous. */
function nameTaken(name: string, fingerprint: string): CommandFailure {
  return new CommandFailure({
    exit: "refused",
    code: "name_taken",
    message: `An SSH key named ${name} already exists (${fingerprint}). Nothing was sent.`,
    advice: ["Choose another name, or remove that key first:", "ironlease ssh-key list"],
  });
}
