import { command } from "#command.ts";
import { output } from "#output/output.ts";
import { pickOne } from "#steps/pick.ts";

export const revokeSession = command({
  words: ["session", "revoke"],
  summary: "Revoke a session.",
  description: ["Its next request fails."],
  arguments: [{ name: "session", meaning: "Session id." }],
  asks: true,
  fields: ["id", "current"],
  examples: [
    {
      line: "ironlease session revoke ses_01kk2hq3v5f3mb0w4z8rj6t9ya",
      meaning: "Confirm, then revoke a session you do not recognize.",
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
    const whose = current ? "this session" : `the session of ${userAgent} from ${ipAddress}`;
    await context.confirm({ text: `Revoke ${whose}?` });
    await client.revokeSession({ id }, context.calling);
    const { name, profile } = context.target;
    if (current) context.profiles.set(name, { ...profile, session: undefined });
    return output({ id, current }, (shown) =>
      shown.current
        ? `Session revoked. Sign in again: ${context.suggest("ironlease login")}`
        : `Revoked session ${shown.id}.`,
    );
  },
});
