import type { SessionClient } from "@ironlease/client";
import type { Context } from "../context.ts";

/** Keeps a fresh sign-in in the profile, which becomes the current one. */
export function keepSignIn(context: Context, client: SessionClient): void {
  const { name, profile } = context.target;
  const session = client.session.export();
  context.profiles.change(({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: { ...profile, session } },
  }));
}

/** The username that was given, or that is asked for. */
export async function readUsername(context: Context, given: string | undefined): Promise<string> {
  return given ?? (await context.prompter.ask("Username:"));
}
