import { usdText } from "@ironlease/contract";
import type { OperatorCall } from "#kernel/call.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, minuteText } from "#kernel/iso-time.ts";
import { refuse } from "#kernel/result.ts";
import { offerDdosQuote } from "#kernel/ddos-quotes.ts";
import type { Result } from "#ports/result.ts";
import { readQuote } from "./completion.ts";
import { lockHeld, wait } from "./lease.ts";
import { readWork } from "./read-work.ts";
import { recordStep } from "./record-step.ts";
import { tellCustomer } from "./tell-customer.ts";
import { findItem } from "./work-item.ts";
import type { WorkRecord } from "./work-record.ts";

/** How long a customer may accept a quote. */
const validMs = 14 * 86_400_000;

/**
 * Offers the customer a price per term for ADVANCED. The item waits for them. Until they accept, it can be claimed
 * again to offer another price.
 */
export function offerQuote(
  core: Core,
  call: OperatorCall,
  { workId, quoteUsd }: { readonly workId: string; readonly quoteUsd: number | string },
): Promise<Result<WorkRecord>> {
  return core.db.write(async (tx) => {
    const item = await findItem(tx, call, workId);
    if (!item.ok) return item;
    const cents = readQuote(quoteUsd);
    if (!cents.ok) return cents;
    if (item.value.ddosMode !== "ADVANCED") {
      return refuse("conflict", { message: "Only a request for DDoS mode ADVANCED has a quote." });
    }
    const held = await lockHeld({ tx, core, call, item: item.value });
    if (!held.ok) return held;
    const job = held.value;
    const { subjectId } = job.item;
    const offeredAt = core.clock.now();
    const expiresAt = offeredAt + validMs;
    const offer = { cents: cents.value, offeredAt, expiresAt };
    if (!(await offerDdosQuote(tx, subjectId, offer))) return alreadyAccepted;
    const quote = { quoteCents: cents.value, quoteExpiresAt: isoTime(expiresAt) };
    const waiting = await wait(job, { ...job.detail, ...quote });
    if (!waiting.ok) return waiting;
    const sideEffect = { action: "server.offer_ddos_quote", subject: subjectId, detail: quote };
    await recordStep(job, "work.quote", quote, sideEffect);
    const report = `DDoS mode ADVANCED: an operator offers it for ${usdText(cents.value)} USD per term. Accept or decline the quote on the server's page by ${minuteText(expiresAt)}.`;
    await tellCustomer(job, { report }, null);
    return readWork(core, workId, tx);
  });
}

const alreadyAccepted = refuse("conflict", {
  message: "The customer has accepted the quote. Complete the request, or fail it.",
});
