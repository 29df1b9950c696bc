import type { Core } from "#kernel/core.ts";
import { releaseSubscriber, type ClaimedSubscriber } from "#kernel/outbox/claim-subscribers.ts";
import { readDue, type DueDelivery } from "#kernel/outbox/deliveries.ts";
import { subscriberPauseMs } from "#kernel/outbox/retries.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import { isAccepted, recordAttempts, type Attempted } from "./record-attempts.ts";
import { signedHeaders } from "./signature.ts";
import { secretContext } from "./webhook-record.ts";

/** Requests at once to one endpoint. */
const concurrency = 4;

/** No request starts when less than this is left of the lease, so that it ends before the lease does. */
const reserveMs = 20_000;

const ownFailurePauseMs = 60_000;

export interface Sent {
  readonly delivered: number;
  readonly failed: number;
}

interface Endpoint {
  readonly claimed: ClaimedSubscriber;
  readonly url: string;
  readonly secrets: readonly string[];
}

/**
 * Sends to a claimed webhook until nothing is due, the lease is almost over or an attempt fails. After a failure the
 * webhook is paused, so that a receiver that is down costs only a few requests.
 */
export async function sendToWebhook(
  core: Core,
  claimed: ClaimedSubscriber,
  stop: AbortSignal,
): Promise<Sent> {
  const slice = new Slice(core, claimed, stop);
  // For a failure of our own, such as a key that is missing: trying again at once would not end.
  let pauseMs = ownFailurePauseMs;
  try {
    const endpoint = await openEndpoint(core, claimed);
    if (endpoint !== undefined) await slice.run(endpoint);
    ({ pauseMs } = slice);
  } finally {
    if (stop.aborted) pauseMs = 0;
    await core.db.write(async (tx) => ok(await releaseSubscriber({ tx, core }, claimed, pauseMs)));
  }
  return slice.sent;
}

/** Undefined when the customer has just deleted it. */
async function openEndpoint(
  { db, sealing, clock }: Core,
  claimed: ClaimedSubscriber,
): Promise<Endpoint | undefined> {
  const row = await db.read
    .selectFrom("webhooks")
    .select(["url", "secret", "previous_secret as previous", "previous_until as previousUntil"])
    .where("id", "=", claimed.id)
    .where("account_id", "=", claimed.accountId)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const isPreviousValid = (row.previousUntil ?? 0) > clock.now();
  const sealed = [row.secret, ...(row.previous !== null && isPreviousValid ? [row.previous] : [])];
  const context = secretContext(claimed.id);
  const secrets = await Promise.all(sealed.map((secret) => sealing.open(secret, context)));
  return { claimed, url: row.url, secrets };
}

class Slice {
  readonly #core: Core;
  readonly #claimed: ClaimedSubscriber;
  readonly #stop: AbortSignal;
  #delivered = 0;
  #failed = 0;
  pauseMs = 0;

  constructor(core: Core, claimed: ClaimedSubscriber, stop: AbortSignal) {
    this.#core = core;
    this.#claimed = claimed;
    this.#stop = stop;
  }

  get sent(): Sent {
    return { delivered: this.#delivered, failed: this.#failed };
  }

  async run(endpoint: Endpoint): Promise<void> {
    while (this.#canSend()) {
      const { db, clock } = this.#core;
      const now = clock.now();
      const due = await readDue(db.read, {
        channel: "WEBHOOK",
        subscriberId: this.#claimed.id,
        now,
      });
      if (due.length === 0) return;
      await this.#sendPage(endpoint, due);
    }
  }

  /** Records the whole page in one transaction. If the process dies before, all of it is sent again. */
  async #sendPage(endpoint: Endpoint, due: readonly DueDelivery[]): Promise<void> {
    const waiting = due.values();
    const attempts: Attempted[] = [];
    const drains = Array.from({ length: concurrency }, () =>
      this.#drain(endpoint, waiting, attempts),
    );
    const ended = await Promise.allSettled(drains);
    const failingForMs = await recordAttempts(this.#core, this.#claimed, attempts);
    if (failingForMs !== undefined) this.pauseMs = subscriberPauseMs(failingForMs);
    const broken = ended.find(({ status }) => status === "rejected");
    if (broken?.status === "rejected") throw broken.reason;
  }

  #canSend(): boolean {
    const { clock } = this.#core;
    const hasTime = clock.now() < this.#claimed.leasedUntil - reserveMs;
    return hasTime && this.#failed === 0 && !this.#stop.aborted;
  }

  /** Callers share the iterator, so each delivery is sent once. */
  async #drain(
    endpoint: Endpoint,
    waiting: Iterator<DueDelivery>,
    attempts: Attempted[],
  ): Promise<void> {
    while (this.#canSend()) {
      const next = waiting.next();
      if (next.done === true) return;
      const status = await this.#send(endpoint, next.value);
      attempts.push({ ...next.value, status });
      if (isAccepted(status)) this.#delivered += 1;
      else this.#failed += 1;
    }
  }

  async #send({ url, secrets }: Endpoint, delivery: DueDelivery): Promise<number | null> {
    const { clock, postWebhook } = this.#core;
    const { id, traceparent } = delivery;
    const body = bodyOf(delivery);
    const headers = {
      "content-type": "application/json",
      "user-agent": "ironlease",
      ...(traceparent !== null && { traceparent }),
      ...signedHeaders({ id, atMs: clock.now(), body }, secrets),
    };
    const { status } = await postWebhook({ url, headers, body }, this.#stop);
    return status;
  }
}

/** The same bytes at every attempt. */
function bodyOf({ event, createdAt, data }: DueDelivery): string {
  const type = JSON.stringify(event);
  return `{"type":${type},"timestamp":"${isoTime(createdAt)}","data":${data}}`;
}
