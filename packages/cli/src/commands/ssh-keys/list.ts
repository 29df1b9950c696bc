import { command } from "#command.ts";
import { minuteOf } from "#output/formats.ts";
import { output } from "#output/output.ts";
import { table } from "#output/table.ts";

export const listSshKeys = command({
  words: ["ssh-key", "list"],
  summary: "List saved SSH keys.",
  examples: [{ line: "ironlease ssh-key list", meaning: "All saved keys." }],
  run: async ({ context }) => {
    const client = await context.member();
    return output(await client.listSshKeys(context.calling), ({ sshKeys }, style) =>
      sshKeys.length === 0
        ? "No saved SSH keys."
        : table(
            style,
            [
              { heading: "ID", cell: ({ id }) => id },
              { heading: "NAME", cell: ({ name }) => name },
              { heading: "FINGERPRINT", cell: ({ fingerprint }) => fingerprint },
              { heading: "ADDED", cell: ({ createdAt }) => minuteOf(createdAt) },
            ],
            sshKeys,
          ),
    );
  },
});
