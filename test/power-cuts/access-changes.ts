import { customerOf, password } from "#test/service.ts";
import { gone, type Call } from "./acknowledgement.ts";
import type { Client } from "./client.ts";
import { register, signedInCall, type SignedIn } from "./customer.ts";

/**
 * A new account that signs in a second time, ends the session before, and changes its password. It
 * stops where nobody can say what became of a change, since everything after it would depend on that.
 */
export async function changeAccess(client: Client, username: string): Promise<void> {
  const first = await register(client, username);
  if (first === undefined) return;
  const [firstId] = await sessionIds(client, first);
  const second = await signIn(client, username);
  const secondId = (await sessionIds(client, second)).find((id) => id !== firstId);
  if (firstId === undefined || secondId === undefined) throw new Error("a session is not listed");

  const end = signedInCall(second, "DELETE", `/api/v1/sessions/${firstId}`);
  const facts = [gone("sessions", { id: firstId })];
  if ((await client.change(end, () => ({ facts }))) === undefined) return;

  const newPassword = `another ${password}`;
  const body = { currentPassword: password, newPassword };
  const change = signedInCall(second, "POST", "/api/v1/auth/password", body);
  await client.change(change, () => ({
    facts: [gone("sessions", { id: secondId })],
    signIn: { username, password: newPassword },
  }));
}

export function signInCall(username: string, secret: string): Call {
  const body = { username, password: secret };
  return { side: "account", method: "POST", path: "/api/v1/auth/login", body };
}

async function signIn(client: Client, username: string): Promise<SignedIn> {
  const answer = await client.ask(signInCall(username, password));
  return customerOf(client.service.send, answer, username);
}

async function sessionIds(client: Client, session: SignedIn): Promise<readonly string[]> {
  const { json } = await client.ask(signedInCall(session, "GET", "/api/v1/sessions"));
  return json.sessions.map(({ id }: { id: string }) => id);
}
