import { centsFromUsd } from "@ironlease/contract";
import { lockServer } from "#kernel/account-servers.ts";
import { audit } from "#kernel/audit.ts";
import type { CustomerCall, Keyed } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { once, type RecordedAnswer } from "#kernel/idempotency.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok, refuse, refuseField } from "#kernel/result.ts";
import { acceptDdosQuote } from "#kernel/ddos-quotes.ts";
import { resumeDdosWork } from "#kernel/work-queue/waiting-work.ts";
import type { Result } from "#ports/result.ts";

export interface AcceptedQuote {
  readonly status: "QUEUED";
  readonly mode: "ADVANCED";
  readonly quoteRequired: false;
}

const accepted: AcceptedQuote = { status: "QUEUED", mode: "ADVANCED", quoteRequired: false };

/** Accepts exactly the price that the operator offers, so that an operator can apply ADVANCED. Charges nothing yet. */
export async function acceptQuote(
  core: Core,
  call: Keyed<CustomerCall>,
  { serverId, usd }: { readonly serverId: string; readonly usd: number | string },
): Promise<Result<RecordedAnswer<AcceptedQuote>>> {
  const cents = centsFromUsd(usd);
  if (cents === undefined || cents < 0) {
    return refuseField("usd", "must be an amount in USD, 0 or more, with at most two decimals");
  }
  const { accountId } = call;
  return core.db.write(async (tx) => {
    const step = { tx, core, call };
    const server = await lockServer(tx, accountId, serverId);
    if (!server.ok) return server;
    const { ddosOfferCents, ddosOfferAcceptedAt } = server.value;
    return once<AcceptedQuote>(step, { serverId, cents }, async () => {
      const isRepeated = ddosOfferAcceptedAt !== null && ddosOfferCents === cents;
      if (isRepeated) return ok({ status: 202, body: accepted, reference: serverId });
      const now = core.clock.now();
      if (!(await acceptDdosQuote(tx, { accountId, serverId }, { cents, now }))) {
        return refuse("quote_changed");
      }
      await resumeDdosWork(step, { accountId, serverId }, { quoteAcceptedAt: isoTime(now) });
      await audit(step, "server.accept_ddos_quote", serverId, { quoteCents: cents });
      return ok({ status: 202, body: accepted, reference: serverId });
    });
  });
}
