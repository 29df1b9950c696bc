import assert from "node:assert/strict";
import { rateLimits } from "@ironlease/contract";
import { beginTotp } from "#server/features/accounts/begin-totp.ts";
import { confirmTotp } from "#server/features/accounts/confirm-totp.ts";
import { registerAccount } from "#server/features/accounts/register-account.ts";
import { authenticateSession } from "#server/features/sessions/authenticate-session.ts";
import { signIn as signInAccount } from "#server/features/sessions/sign-in.ts";
import type { Engine } from "#server/ports/db.ts";
import { createTestCore, testClient } from "./core.ts";
import { stepMs } from "./second-factor.ts";
import { totpCode } from "./totp.ts";
import { valueOf } from "./use-cases.ts";

export const customerPassword = "the customers' pass phrase";

/** Two instances with the usual limits, where customers sign in and set up second factors. */
export async function openSecondFactorCustomers(engine: Engine) {
  const opened = await createTestCore(engine, { rules: { rateLimits } });
  const { core, clock } = opened;
  const cores = [core, await opened.reopen()] as const;
  let addresses = 0;
  let customers = 0;

  /** From a new address and at the other instance each time, unless the test passes them. */
  const signIn = (
    username: string,
    totp?: string,
    {
      ipAddress = `10.0.${(addresses += 1) >> 8}.${addresses & 255}`,
      password = "",
      at = cores[addresses % 2] ?? core,
    } = {},
  ) => {
    const input = {
      username,
      password: password === "" ? customerPassword : password,
      totp,
      presentedSessionToken: undefined,
    };
    return signInAccount(at, { ...testClient, ipAddress }, input);
  };

  const sessionOf = async (sessionToken: string) =>
    (await authenticateSession(core, sessionToken)) ?? assert.fail("the session is invalid");

  const newCustomer = async () => {
    const username = `ada${(customers += 1)}`;
    const registered = await valueOf(
      registerAccount(
        core,
        { ...testClient, ipAddress: `10.99.0.${customers}` },
        { username, password: customerPassword },
      ),
    );
    const session = await sessionOf(registered.sessionToken);
    const call = { accountId: session.accountId, client: testClient };
    return { ...registered, session, call, accountId: session.accountId };
  };

  return {
    opened,
    core,
    cores,
    clock,
    signIn,
    sessionOf,
    newCustomer,

    /** A customer whose second factor was set up one step ago. */
    withSecondFactor: async () => {
      const customer = await newCustomer();
      const { call, session } = customer;
      const { secret } = await valueOf(beginTotp(core, call, session));
      const code = totpCode(secret, clock.now());
      const { recoveryCodes } = await valueOf(confirmTotp(core, call, session, code));
      clock.advance(stepMs);
      const codeNow = (steps = 0) => totpCode(secret, clock.now() + steps * stepMs);
      return { ...customer, secret, codeNow, recoveryCodes };
    },

    /** The audited actions on the account, oldest first. */
    actionsOn: async (accountId: string) => {
      const rows = await core.db.read
        .selectFrom("audit")
        .select("action")
        .where("subject", "=", accountId)
        .orderBy("id")
        .execute();
      return rows.map(({ action }) => action);
    },

    stored: (accountId: string) =>
      core.db.read
        .selectFrom("accounts")
        .select(["totp_secret", "totp_pending"])
        .where("id", "=", accountId)
        .executeTakeFirstOrThrow(),
  };
}

export type SecondFactorCustomers = Awaited<ReturnType<typeof openSecondFactorCustomers>>;
