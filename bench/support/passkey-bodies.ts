import { ok } from "#server/kernel/result.ts";
import type { Core } from "#server/kernel/core.ts";
import { issueChallenge } from "#server/kernel/passkeys/challenges.ts";
import { ownerColumn, userHandleOf, type Side } from "#server/kernel/passkeys/owner.ts";
import { Authenticator } from "#test/authenticator.ts";
import type { SeededUser } from "./bench-database.ts";

/** The device of each customer and operator, the same at the recorder and at the service. */
const devices = new Map<string, Authenticator>();
const rpId = "localhost";

function deviceOf(ownerId: string): Authenticator {
  const device = devices.get(ownerId) ?? new Authenticator("");
  devices.set(ownerId, device);
  return device;
}

function ownersOf({ db }: Core, side: Side) {
  const [table, prefix] =
    side === "account"
      ? (["accounts", "acc_bench"] as const)
      : (["operators", "opr_bench"] as const);
  return db.read.selectFrom(table).select("id").where("id", "like", `${prefix}%`).orderBy("id");
}

/** A challenge for each customer or operator, with the id of its owner. */
function challenges(side: Side, isNew: boolean) {
  return async (core: Core): Promise<readonly string[]> => {
    const owners = await ownersOf(core, side).execute();
    const issued: string[] = [];
    await core.db.write(async (tx) => {
      for (const { id } of owners) {
        const purpose = isNew ? { addTo: { side, id } } : { signInTo: side };
        issued.push(`${await issueChallenge(tx, core, purpose)} ${id}`);
      }
      return ok();
    });
    return issued;
  };
}

export const newChallenges = (side: Side) => challenges(side, true);
export const signInChallenges = (side: Side) => challenges(side, false);

/** The passkey of each customer or operator. */
export function passkeysOf(side: Side) {
  return async ({ db }: Core): Promise<readonly string[]> => {
    const column = ownerColumn(side);
    const rows = await db.read
      .selectFrom("passkeys")
      .select("id")
      .where(column, "is not", null)
      .orderBy(column)
      .execute();
    return rows.map(({ id }) => id);
  };
}

export function addPasskey(_: number, challengeOfOwner: string, __: SeededUser, port: number) {
  const { challenge, ownerId, origin } = read(challengeOfOwner, port);
  const options = { rp: { id: rpId }, user: { id: handleOf(ownerId) }, challenge };
  return { name: "bench", credential: deviceOf(ownerId).create(options, { origin }) };
}

export function signWithPasskey(_: number, challengeOfOwner: string, __: SeededUser, port: number) {
  const { challenge, ownerId, origin } = read(challengeOfOwner, port);
  const fault = { origin, userHandle: handleOf(ownerId) };
  return { credential: deviceOf(ownerId).get({ rpId, challenge }, fault) };
}

function handleOf(id: string): string {
  return userHandleOf({ side: "account", id });
}

function read(challengeOfOwner: string, port: number) {
  const [challenge = "", ownerId = ""] = challengeOfOwner.split(" ");
  return { challenge, ownerId, origin: `http://localhost:${port}` };
}
