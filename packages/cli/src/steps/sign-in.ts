import type { SessionClient } from "@ironlease/client";
import type { Context } from "#context.ts";

/** The service issues a new recovery code only in exchange for the old one. */
export const withoutCode =
  "The password works, but it cannot be reset if you lose it. Consider creating another account.";

/** Saves the new session in the profile, which becomes the current one. */
export function keepSignIn(context: Context, client: SessionClient): void {
  const { name, profile } = context.target;
  const session = client.session.export();
  context.profiles.change(({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: { ...profile, session } },
  }));
}

/**
 * A client for signing in. It checks that the service is up and trusted before the user types a password
 * in vain, or for a stranger.
 */
export async function meet(context: Context): Promise<SessionClient> {
  const client = await context.anyone();
  if (context.prompter.isPossible) await client.readHealth(context.calling);
  return client;
}

/** The username from the command line, or asked for. */
export async function readUsername(context: Context, given: string | undefined): Promise<string> {
  return given ?? (await context.prompter.ask("Username:"));
}
