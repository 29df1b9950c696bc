import { usdFromCents, type AnswerOf, type Operations } from "@ironlease/contract";
import { assignWork } from "#features/work/assign-work.ts";
import { claimWork } from "#features/work/claim-work.ts";
import { completeWork } from "#features/work/complete-work.ts";
import { failWork } from "#features/work/fail-work.ts";
import { listRuns, type RunList } from "#features/work/list-runs.ts";
import { offerQuote } from "#features/work/offer-quote.ts";
import { listWork } from "#features/work/list-work.ts";
import type { Delivery } from "#features/work/read-delivery.ts";
import { requestRun } from "#features/work/request-run.ts";
import { readWork } from "#features/work/read-work.ts";
import type { WithdrawalReview } from "#features/work/review-withdrawal.ts";
import { releaseWork } from "#features/work/release-work.ts";
import { tickWork } from "#features/work/tick-work.ts";
import type { WorkRecord } from "#features/work/work-record.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime, isoTimeOrNull } from "#kernel/iso-time.ts";
import type { Result } from "#ports/result.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { workEffects } from "./work-effects.ts";

type Item = AnswerOf<Operations["readWork"]>;
type Runs = AnswerOf<Operations["listRuns"]>;

export function workHandlers(
  core: Core,
): Handlers<
  | "listWork"
  | "readWork"
  | "claimWork"
  | "releaseWork"
  | "assignWork"
  | "offerQuote"
  | "tickWork"
  | "completeWork"
  | "failWork"
  | "runWork"
  | "listRuns"
> {
  return {
    listWork: async ({ query }) => {
      const work = await listWork(core, query);
      return ok({ status: 200, body: { work: work.map(workOnWire) } });
    },
    readWork: async ({ parameters }) => itemOf(await readWork(core, parameters.id)),
    claimWork: async ({ core, caller, parameters }) =>
      itemOf(await claimWork(core, caller, parameters.id, workEffects)),
    releaseWork: async ({ core, caller, parameters }) =>
      itemOf(await releaseWork(core, caller, parameters.id)),
    assignWork: async ({ core, caller, parameters, body }) =>
      itemOf(await assignWork(core, caller, { ...body, workId: parameters.id })),
    offerQuote: async ({ core, caller, parameters, body }) =>
      itemOf(await offerQuote(core, caller, { ...body, workId: parameters.id })),
    tickWork: async ({ core, caller, parameters, body }) =>
      itemOf(await tickWork(core, caller, { ...body, workId: parameters.id })),
    completeWork: async ({ core, caller, parameters, body }) =>
      itemOf(await completeWork(core, caller, { ...body, workId: parameters.id }, workEffects)),
    failWork: async ({ core, caller, parameters, body }) =>
      itemOf(await failWork(core, caller, { ...body, workId: parameters.id }, workEffects)),
    runWork: async ({ core, caller, parameters, body }) => {
      const result = await requestRun(core, caller, { ...body, workId: parameters.id });
      return result.ok ? ok({ ...result.value, status: 202 }) : result;
    },
    listRuns: async ({ parameters }) => {
      const result = await listRuns(core, parameters.id);
      return result.ok ? ok({ status: 200, body: runsOnWire(result.value) }) : result;
    },
  };
}

function itemOf(result: Result<WorkRecord>): Result<Item> {
  return result.ok ? ok({ status: 200, body: workOnWire(result.value) }) : result;
}

function runsOnWire({ runs, power, offers, byHand }: RunList): Runs["body"] {
  return {
    runs: runs.map(({ id, state, step, startedAt, endedAt, evidence }) => ({
      id,
      state,
      step,
      startedAt: isoTimeOrNull(startedAt),
      endedAt: isoTimeOrNull(endedAt),
      evidence: evidence.map(({ at, ...exchange }) => ({ at: isoTime(at), ...exchange })),
    })),
    power: power && { state: power.state, at: isoTime(power.at) },
    offers: offers.map(({ step, does }) => ({ step, does })),
    byHand,
  };
}

export function workOnWire(item: WorkRecord): Item["body"] {
  const { orderId, serverId, actionId, withdrawalId, payoutId, assetTag, regionId } = item;
  return {
    id: item.id,
    kind: item.kind,
    state: item.state,
    createdAt: isoTime(item.createdAt),
    claimedBy: item.claimedBy,
    leaseUntil: isoTimeOrNull(item.leaseUntil),
    accountId: item.accountId,
    username: item.username,
    ...(orderId !== null && { orderId }),
    ...(serverId !== null && { serverId }),
    ...(actionId !== null && { actionId }),
    ...(withdrawalId !== null && { withdrawalId }),
    ...(payoutId !== null && { payoutId }),
    ...(assetTag !== null && { assetTag }),
    ...(regionId !== null && { regionId }),
    assignedTo: item.assignedTo,
    dueAt: isoTimeOrNull(item.dueAt),
    detail: detailInUsd(item.detail),
    approvals: item.approvals.map(({ username, at, transactionId, note, voidedAt }) => ({
      operator: username,
      at: isoTime(at),
      ...(transactionId !== undefined && { transactionId }),
      ...(note !== undefined && { note }),
      ...(voidedAt !== undefined && { voidedAt: isoTime(voidedAt) }),
    })),
    note: item.note,
    outcome: item.outcome,
    endedAt: isoTimeOrNull(item.endedAt),
    ...(item.waitingSince !== null && { waitingSince: isoTime(item.waitingSince) }),
    ...(item.delivery !== undefined && { delivery: deliveryOnWire(item.delivery) }),
    ...(item.review !== undefined && { review: reviewOnWire(item.review) }),
    ...(item.checklist !== undefined && {
      checklist: item.checklist.map(({ line, tick }) => ({
        line,
        tickedBy: tick?.username ?? null,
        tickedAt: isoTimeOrNull(tick?.at ?? null),
      })),
    }),
  };
}

function deliveryOnWire({ priceCents, addresses, ...delivery }: Delivery) {
  return { ...delivery, priceUsd: usdFromCents(priceCents), addresses: [...addresses] };
}

function reviewOnWire(review: WithdrawalReview) {
  const { accountCreatedAt, depositedCents, paidCents, accessChange, ...counts } = review;
  return {
    ...counts,
    accountCreatedAt: isoTime(accountCreatedAt),
    depositedUsd: usdFromCents(depositedCents),
    paidUsd: usdFromCents(paidCents),
    accessChange: accessChange && { ...accessChange, at: isoTime(accessChange.at) },
  };
}

/** Converts cents to USD, as everywhere on the wire: `cents` to `usd`, `priceCents` to `priceUsd`. */
function detailInUsd(detail: WorkRecord["detail"]): WorkRecord["detail"] {
  return Object.fromEntries(
    Object.entries(detail).map(([name, value]) =>
      typeof value === "number" && /(?:^c|C)ents$/.test(name)
        ? [name.replace(/cents$/, "usd").replace(/Cents$/, "Usd"), usdFromCents(value)]
        : [name, value],
    ),
  );
}
