import type { Core } from "#server/kernel/core.ts";
import { issueChallenge, type Purpose } from "#server/kernel/passkeys/challenges.ts";
import { userHandleOf, type Side } from "#server/kernel/passkeys/owner.ts";
import { ok } from "#server/kernel/result.ts";
import { Authenticator } from "#test/authenticator.ts";
import type { Step } from "./write-step.ts";

/** One for each user of a side, created when they add their passkey. */
const authenticators = new Map<string, Authenticator>();

const ownersOf = async ({ db }: Core, side: Side): Promise<readonly string[]> => {
  const rows =
    side === "account"
      ? await db.read
          .selectFrom("accounts")
          .select("id")
          .where("id", "like", "acc_bench%")
          .orderBy("id")
          .execute()
      : await db.read.selectFrom("operators").select("id").orderBy("id").execute();
  return rows.map(({ id }) => id);
};

/** A challenge for every user, as the operation before would issue it, with the user's id. */
const challenges = (side: Side, purposeOf: (id: string) => Purpose) => async (core: Core) => {
  const issued: string[] = [];
  for (const id of await ownersOf(core, side)) {
    await core.db.write(async (tx) => {
      issued.push(`${id} ${await issueChallenge(tx, core, purposeOf(id))}`);
      return ok();
    });
  }
  return issued;
};

const rpId = "localhost";

const added = (side: Side) => (index: number, about: string, _: unknown, port: number) => {
  const [id = "", challenge = ""] = about.split(" ");
  const authenticator = new Authenticator(`http://localhost:${port}`);
  authenticators.set(`${port} ${side} ${index}`, authenticator);
  const user = { id: userHandleOf({ side, id }) };
  return { name: "bench", credential: authenticator.create({ rp: { id: rpId }, user, challenge }) };
};

const signedIn = (side: Side) => (index: number, about: string, _: unknown, port: number) => {
  const [, challenge = ""] = about.split(" ");
  const authenticator = authenticators.get(`${port} ${side} ${index}`);
  return { credential: authenticator?.get({ rpId, challenge }) };
};

const idsOf = (side: Side) => async (core: Core) => {
  const column = side === "account" ? "account_id" : "operator_id";
  const rows = await core.db.read
    .selectFrom("passkeys")
    .select("id")
    .where(column, "is not", null)
    .orderBy(column)
    .execute();
  return rows.map(({ id }) => id);
};

/** The writes with passkeys, within 15 minutes of signing in. */
export const passkeySteps: readonly Step[] = [
  { operation: "beginOperatorPasskey", isOperators: true },
  {
    operation: "finishOperatorPasskey",
    about: challenges("operator", (id) => ({ addTo: { side: "operator", id } })),
    body: added("operator"),
    isOperators: true,
  },
  { operation: "beginOperatorPasskeySignIn", isOperators: true },
  {
    operation: "finishOperatorPasskeySignIn",
    about: challenges("operator", () => ({ signInTo: "operator" })),
    body: signedIn("operator"),
    isOperators: true,
  },
  { operation: "removeOperatorPasskey", about: idsOf("operator"), isOperators: true },
  { operation: "beginPasskey" },
  {
    operation: "finishPasskey",
    about: challenges("account", (id) => ({ addTo: { side: "account", id } })),
    body: added("account"),
  },
  { operation: "beginPasskeySignIn" },
  {
    operation: "finishPasskeySignIn",
    about: challenges("account", () => ({ signInTo: "account" })),
    body: signedIn("account"),
  },
  { operation: "removePasskey", about: idsOf("account") },
];
