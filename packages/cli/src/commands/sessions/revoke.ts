import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { pickOne } from "#steps/pick.ts";

export const revokeSession = command({
  words: ["session", "revoke"],
  summary: "End a session.",
  description: ["It fails on its very next request."],
  arguments: [{ name: "session", meaning: "The session's id." }],
  asks: true,
  fields: ["id", "current"],
  examples: [
    {
      line: "ironlease session revoke ses_01kk2hq3v5f3mb0w4z8rj6t9ya",
      meaning: "Ask, then end a session that is not yours.",
    },
  ],
  run: async ({ args, context }) => {
    const client = await context.member();
    const { sessions } = await client.listSessions(context.calling);
    const where = { noun: "session", plural: "sessions", list: "ironlease session list" };
    const { id, userAgent, ipAddress, current } = pickOne(
      sessions,
      args.session,
      () => null,
      where,
    );
    const whose = current ? "this very session" : `the session of ${userAgent} from ${ipAddress}`;
    await context.confirm({ text: `End ${whose}?` });
    await client.revokeSession({ id }, context.calling);
    const { name, profile } = context.target;
    if (current) context.profiles.set(name, { ...profile, session: undefined });
    return output({ id, current }, (shown) =>
      shown.current
        ? `This session has ended. Sign in again: ${context.suggest("ironlease login")}`
        : `The session ${shown.id} has ended.`,
    );
  },
});
