import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { Core } from "#kernel/core.ts";
import { claimSubscribers, type ClaimedSubscriber } from "#kernel/outbox/claim-subscribers.ts";
import { hasPending } from "#kernel/outbox/deliveries.ts";
import { ok } from "#kernel/result.ts";
import { sendToWebhook, type Sent } from "./send-to-webhook.ts";

/** Webhooks that one process sends to at once. A slow one takes up one place. */
const places = 64;
const claimedAtOnce = 16;

const leaseMs = 60_000;

const nothing: Sent = { delivered: 0, failed: 0 };

export interface WebhookReports {
  /** Called after each run, with what was sent since the last one. */
  readonly onPass: (sent: Sent) => void;
  readonly onFailure: (error: unknown) => void;
}

/**
 * Sends what is due, on any number of instances. A run ends when there is nothing to claim and does not wait for slow
 * receivers, so they delay only themselves.
 */
export function startWebhooks(
  core: Core,
  everyMs: number,
  { onPass, onFailure }: WebhookReports,
): IntervalJob {
  const stopping = new AbortController();
  const sender = new WebhookSender(core, stopping.signal, onFailure);
  const job = startIntervalJob(
    async () => {
      await sender.claimAll();
      onPass(sender.takeSent());
      return [];
    },
    everyMs,
    onFailure,
  );
  return {
    stop: async () => {
      stopping.abort(new Error("the service is stopping"));
      await job.stop();
      await sender.idle();
    },
  };
}

/** Sends everything that is due now, and waits for it. */
export async function sendDueWebhooks(core: Core): Promise<Sent> {
  const failures: unknown[] = [];
  const { signal } = new AbortController();
  const sender = new WebhookSender(core, signal, (error) => failures.push(error));
  await sender.claimAll();
  await sender.idle();
  if (failures.length > 0) throw failures[0];
  return sender.takeSent();
}

class WebhookSender {
  readonly #core: Core;
  readonly #stop: AbortSignal;
  readonly #onFailure: WebhookReports["onFailure"];
  #sent: Sent = nothing;
  readonly #sending = new Set<Promise<void>>();

  constructor(core: Core, stop: AbortSignal, onFailure: WebhookReports["onFailure"]) {
    this.#core = core;
    this.#stop = stop;
    this.#onFailure = onFailure;
  }

  /** What was sent since the last call. */
  takeSent(): Sent {
    const sent = this.#sent;
    this.#sent = nothing;
    return sent;
  }

  /** Starts to send to every webhook that has something due, as places become free. */
  async claimAll(): Promise<void> {
    while (!this.#stop.aborted) {
      while (this.#sending.size > places - claimedAtOnce) await Promise.race(this.#sending);
      const claimed = await this.#claim();
      if (claimed.length === 0) return;
      for (const subscriber of claimed) this.#start(subscriber);
    }
  }

  /** Resolves when every started webhook has been sent to. */
  async idle(): Promise<void> {
    while (this.#sending.size > 0) await Promise.race(this.#sending);
  }

  async #claim(): Promise<readonly ClaimedSubscriber[]> {
    const core = this.#core;
    if (!(await hasPending(core.db.read, "WEBHOOK"))) return [];
    const claim = { channel: "WEBHOOK", limit: claimedAtOnce, leaseMs } as const;
    const claimed = await core.db.write(async (tx) =>
      ok(await claimSubscribers({ tx, core }, claim)),
    );
    if (!claimed.ok) throw new Error("claiming webhooks never refuses");
    return claimed.value;
  }

  #start(subscriber: ClaimedSubscriber): void {
    const sending = this.#send(subscriber).finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  async #send(subscriber: ClaimedSubscriber): Promise<void> {
    try {
      const { delivered, failed } = await sendToWebhook(this.#core, subscriber, this.#stop);
      const before = this.#sent;
      this.#sent = { delivered: before.delivered + delivered, failed: before.failed + failed };
    } catch (error) {
      if (!this.#stop.aborted) this.#onFailure(error);
    }
  }
}
