import type { SessionClient } from "@ironlease/client";
import type { Context } from "#context.ts";

/** Said when a recovery code is lost: the service gives another only in exchange for it. */
export const withoutCode =
  "The password works, but if it is lost nothing can replace it: consider opening another account.";

/** Keeps a fresh sign-in in the profile, which becomes the current one. */
export function keepSignIn(context: Context, client: SessionClient): void {
  const { name, profile } = context.target;
  const session = client.session.export();
  context.profiles.change(({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: { ...profile, session } },
  }));
}

/**
 * The service, ready to be signed in to. Before anybody is asked for a password it is known to be there
 * and to be trusted: to type one for nothing is a nuisance, and to type one for a stranger is worse.
 */
export async function meet(context: Context): Promise<SessionClient> {
  const client = await context.anyone();
  if (context.prompter.isPossible) await client.readHealth(context.calling);
  return client;
}

/** The username that was given, or that is asked for. */
export async function readUsername(context: Context, given: string | undefined): Promise<string> {
  return given ?? (await context.prompter.ask("Username:"));
}
