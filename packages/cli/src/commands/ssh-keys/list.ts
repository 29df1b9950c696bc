import type { SshKey } from "@ironlease/client";
import { extras, type Column } from "@ironlease/command-line";
import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { listed } from "#output/output.ts";

const columns: readonly Column<SshKey>[] = [
  { field: "id", heading: "ID", cell: ({ id }) => id },
  { field: "name", heading: "NAME", cell: ({ name }) => name },
  { field: "fingerprint", heading: "FINGERPRINT", cell: ({ fingerprint }) => fingerprint },
  { field: "createdAt", heading: "ADDED", cell: ({ createdAt }) => minuteOf(createdAt) },
  ...extras<SshKey>("publicKey"),
];

export const listSshKeys = command({
  words: ["ssh-key", "list"],
  summary: "List saved SSH keys.",
  columns,
  examples: [{ line: "ironlease ssh-key list", meaning: "All saved keys." }],
  run: async ({ context }) => {
    const client = await context.member();
    const answer = await client.listSshKeys(context.calling);
    return listed(answer, { rows: answer.sshKeys, columns }, { none: "No saved SSH keys." });
  },
});
