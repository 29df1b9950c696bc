import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { findServerId, serverArgument } from "#steps/find-server.ts";
import { readSeconds, waitForServers, waitOption } from "#steps/wait-for-servers.ts";
import { currentStates } from "#vocabulary.ts";

export const waitServer = command({
  words: ["server", "wait"],
  summary: "Wait until a server is delivered.",
  description: [
    "Standard error shows the progress. The exit code says what became of it: 0 once the server is ACTIVE, 15 if it " +
      "is not within --for, 17 if it was cancelled or terminated. Also works with an API key of scope read or servers.",
  ],
  arguments: [serverArgument],
  options: {
    ...waitOption,
    state: {
      value: "STATE",
      choices: currentStates,
      fallback: "ACTIVE",
      meaning: "Wait for this state.",
    },
  },
  examples: [
    {
      line: "ironlease server wait srv_01kfxq8n3ve7wt5c2m9hzr4d6y --for 86400",
      meaning: "Wait for a delivery for up to a day.",
    },
  ],
  run: async ({ args, options: { state, for: time }, context }) => {
    const seconds = readSeconds(time);
    const client = await context.reader();
    const id = await findServerId(client, args.server, context);
    const [server] = await waitForServers(context, client, [id], { state, seconds });
    return output(server, (shown, style) =>
      [id, stateIn(style, state), ...(shown?.assignments ?? []).map(({ address }) => address)].join(
        "  ",
      ),
    );
  },
});
