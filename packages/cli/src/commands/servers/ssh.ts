import { command } from "#command.ts";
import { CommandFailure } from "#failures/failure.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";

export const sshServer = command({
  words: ["server", "ssh"],
  summary: "Log in to a server with ssh.",
  description: [
    "Runs ssh to the server's first IPv4 address, or IPv6 address without one. The exit code is that of ssh. " +
      "Also works with an API key of scope read or servers.",
  ],
  arguments: [
    serverArgument,
    {
      name: "args",
      optional: true,
      many: true,
      meaning: "Options of ssh, then a command to run on the server.",
    },
  ],
  options: { user: { value: "NAME", fallback: "root", meaning: "User to log in as." } },
  examples: [
    { line: "ironlease server ssh web1.example.com", meaning: "Log in as root." },
    {
      line: "ironlease server ssh web1.example.com -- -p 2222 uptime",
      meaning: "Run a command, through another port.",
    },
  ],
  run: async ({ args, options, context }) => {
    const client = await context.reader();
    const id = await findServerId(client, args.server, context);
    const { assignments, state } = await client.readServer({ id }, context.calling);
    const [first] = assignments.toSorted((one, other) => one.family - other.family);
    if (first === undefined) {
      throw new CommandFailure({
        exit: "refused",
        code: "no_address",
        message: `${args.server} is ${state} and has no address yet.`,
        advice: [`ironlease server wait ${id}`],
      });
    }
    // ssh reads options after the address, too.
    const sshArguments = ["-l", options.user, first.address, ...args.args];
    context.exitCode = await context.io.start("ssh", sshArguments);
    return undefined;
  },
});
