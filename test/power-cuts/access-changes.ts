import { customerOf, password } from "#test/service.ts";
import { absent, type Call } from "./acknowledgement.ts";
import type { Client } from "./client.ts";
import { register, signedInCall, type SignedIn } from "./customer.ts";

/**
 * Registers an account, signs in a second time, ends the first session and changes the password. Stops when
 * the outcome of a change is unknown, because the following steps depend on it.
 */
export async function changeAccess(client: Client, username: string): Promise<void> {
  const first = await register(client, username);
  if (first === undefined) return;
  const [firstId] = await sessionIds(client, first);
  const second = await signIn(client, username);
  const secondId = (await sessionIds(client, second)).find((id) => id !== firstId);
  if (firstId === undefined || secondId === undefined)
    throw new Error("GET /api/v1/sessions does not list both sessions.");

  const end = signedInCall(second, "DELETE", `/api/v1/sessions/${firstId}`);
  const facts = [absent("sessions", { id: firstId })];
  if ((await client.change(end, () => ({ facts }))) === undefined) return;

  const newPassword = `another ${password}`;
  const body = { currentPassword: password, newPassword };
  const change = signedInCall(second, "POST", "/api/v1/auth/password", body);
  await client.change(change, () => ({
    facts: [absent("sessions", { id: secondId })],
    signIn: { username, password: newPassword },
  }));
}

export function signInCall(username: string, secret: string): Call {
  const body = { username, password: secret };
  return { side: "account", method: "POST", path: "/api/v1/auth/login", body };
}

async function signIn(client: Client, username: string): Promise<SignedIn> {
  const answer = await client.sendUntilAnswered(signInCall(username, password));
  return customerOf(client.service.send, answer, username);
}

async function sessionIds(client: Client, session: SignedIn): Promise<readonly string[]> {
  const { json } = await client.sendUntilAnswered(signedInCall(session, "GET", "/api/v1/sessions"));
  return json.sessions.map(({ id }: { id: string }) => id);
}
