import type { RequestActionRequestWithoutIsoUrl } from "@ironlease/client";
import type { Example } from "@ironlease/command-line";
import { command, type Command } from "#command.ts";
import { output } from "#output/output.ts";
import { stateIn } from "#output/state.ts";
import { findServerId, serverArgument } from "./find-server.ts";
import { replayLines, written, type Key } from "./written.ts";

interface Action {
  readonly verb: string;
  readonly action: RequestActionRequestWithoutIsoUrl["action"];
  readonly summary: string;
  readonly description: readonly string[];
  /** The confirmation to ask for, if any. */
  readonly question?: (server: string) => string;
  /** The word to type in full, where a slip would be costly. */
  readonly word?: string;
  readonly examples: readonly Example[];
}

/** Every hardware action is carried out by a person. */
export const queuedMeaning =
  "An operator carries out the request. QUEUED means that it is recorded. The operator reports the outcome " +
  "in the server's messages (ironlease message list).";

/** A command that queues one hardware action. */
export function actionCommand(of: Action): Command {
  const { verb, action, summary, description, question, word, examples } = of;
  return command({
    words: ["server", verb],
    summary,
    description: [...description, queuedMeaning],
    arguments: [serverArgument],
    keyed: true,
    fields: ["id", "status", "idempotencyKey", "isReplay"],
    ...(question !== undefined && { asks: true }),
    examples,
    run: async ({ args, context }) => {
      const client = await context.member();
      const id = await findServerId(client, args.server, context);
      if (question !== undefined) {
        await context.confirm({ text: question(args.server), ...(word !== undefined && { word }) });
      }
      const key = await context.writing();
      const answer = written(await client.requestAction({ id, action }, key), key);
      return queued(answer);
    },
  });
}

/** The output for a recorded action. */
export function queued(
  answer: { readonly id: string; readonly status: "QUEUED"; readonly isReplay: boolean } & Key,
) {
  return output(answer, (shown, style) => [
    `${stateIn(style, shown.status)}  ${shown.id}`,
    "Requested. An operator will carry it out.",
    ...replayLines(shown),
  ]);
}
