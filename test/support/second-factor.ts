import assert from "node:assert/strict";
import { rateLimits } from "@ironlease/contract";
import { authenticateOperator } from "#server/features/operators/authenticate-operator.ts";
import { beginTotp } from "#server/features/operators/begin-totp.ts";
import { confirmTotp } from "#server/features/operators/confirm-totp.ts";
import { signInOperator } from "#server/features/operators/sign-in-operator.ts";
import type { Engine } from "#server/ports/db.ts";
import { createTestCore, testClient } from "./core.ts";
import { addTestOperator } from "./operators.ts";
import { totpCode } from "./totp.ts";
import { valueOf } from "./use-cases.ts";
import { keyLocation, readKeys } from "#server/adapters/system/key-file.ts";

export const operatorPassword = "the operators' pass phrase";
export const stepMs = 30_000;

/** An operator service with the usual limits, where operators sign in and set up second factors. */
export async function openSecondFactorDesk(engine: Engine) {
  const opened = await createTestCore(engine, { rules: { rateLimits } });
  const { core, clock } = opened;
  let clients = 0;

  /** Uses a new IP address each time, unless the test passes one. */
  const signIn = (username: string, totp?: string, ipAddress = `10.0.0.${(clients += 1)}`) => {
    const input = { username, password: operatorPassword, totp, presentedSessionToken: undefined };
    return signInOperator(core, { ...testClient, ipAddress }, input);
  };

  const newOperator = async () => {
    const added = await addTestOperator(core, "admin", { password: operatorPassword });
    const { sessionToken } = await valueOf(signIn(added.username));
    const session = await authenticateOperator(core, sessionToken);
    return { ...added, session: session ?? assert.fail("the session is invalid") };
  };

  return {
    opened,
    core,
    clock,
    signIn,
    newOperator,

    /** An operator whose second factor was set up one step ago. */
    withSecondFactor: async () => {
      const { username, operatorId, session } = await newOperator();
      const { secret } = await valueOf(beginTotp(core, { operator: session, client: testClient }));
      const code = totpCode(secret, clock.now());
      const { recoveryCodes } = await valueOf(
        confirmTotp(core, { operator: session, client: testClient }, code),
      );
      clock.advance(stepMs);
      const codeNow = (steps = 0) => totpCode(secret, clock.now() + steps * stepMs);
      return { username, operatorId, session, codeNow, recoveryCodes };
    },

    /** The audited actions on the operator, oldest first. */
    actionsOn: async (operatorId: string) => {
      const rows = await core.db.read
        .selectFrom("audit")
        .select("action")
        .where("subject", "=", operatorId)
        .orderBy("id")
        .execute();
      return rows.map(({ action }) => action.replace("operator.", ""));
    },
  };
}

export type SecondFactorDesk = Awaited<ReturnType<typeof openSecondFactorDesk>>;

/** Creates the second-factor key in a data folder, as the first start of a service does. */
export async function createKeyFile(data: string): Promise<void> {
  await readKeys(keyLocation(undefined, data));
}
