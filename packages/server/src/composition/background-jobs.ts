import { logUnlessOutage } from "#adapters/system/outage-log.ts";
import type { Config } from "#config.ts";
import { startMails } from "#features/contact/send-mails.ts";
import { startSettlementWatch } from "#features/deposits/settlement-timer.ts";
import { startHardwareRuns } from "#features/hardware/run-timer.ts";
import { sweep } from "#features/housekeeping/sweep.ts";
import { chainHistory } from "#features/ledger/chain-history.ts";
import { signLiabilities } from "#features/liabilities/sign-liabilities.ts";
import { sumCustomerFunds } from "#features/overview/customer-funds.ts";
import { startPayoutWatch } from "#features/payouts/watch-payouts.ts";
import { startReverseDns } from "#features/reverse-dns/reverse-dns-timer.ts";
import { hasRenewals } from "#features/renewals/renewal-counts.ts";
import { startRenewals } from "#features/renewals/renewal-timer.ts";
import { startWebhooks } from "#features/webhooks/send-webhooks.ts";
import { startIntervalJob, type IntervalJob } from "#kernel/concurrency/interval-job.ts";
import type { Core } from "#kernel/core.ts";
import type { Log } from "#ports/log.ts";
import { MailUnavailable } from "#ports/mail.ts";
import type { Metrics, PassName } from "#ports/metrics.ts";

/** How often expired sessions, rate limits and leases are deleted. */
const sweepEveryMs = 60_000;

/** How often reverse DNS is published, besides at once after a change. */
const reverseDnsEveryMs = { preview: 2_000, serve: 15_000, command: 15_000 } as const;

/** How often to look for ledger entries without a hash. Only an earlier version writes them. */
const chainEveryMs = 3_600_000;

/** How often to look whether a new day has begun, whose liabilities are not signed. */
const liabilitiesEveryMs = 60_000;

/** More often than the sums become too old, so that no request has to read them. */
const fundsEveryMs = 30_000;

/** How often to look for runs that operators have queued. */
const runsEveryMs = 1_000;

/**
 * Starts the jobs that every instance runs: settlement, payouts, reverse DNS, renewals, hardware runs, webhooks, mail,
 * ledger chain, liabilities, customers' funds and sweep.
 */
export function startBackgroundJobs(
  config: Config,
  core: Core,
  log: Log,
  metrics: Metrics,
): readonly IntervalJob[] {
  const report = (job: PassName, message: string) => (error: unknown) => {
    metrics.passFailed(job);
    logUnlessOutage(log, error, message);
  };
  const finished = (job: PassName, failures: number, done?: Readonly<Record<string, number>>) =>
    metrics.passEnded(job, core.clock.now(), failures === 0, done);
  return [
    ...startSettlementWatch(core, {
      everyMs: config.settlementEveryMs,
      report: report("settlement", "watching settlement failed"),
      onPass: ({ failures, height, ...done }, network) => {
        finished("settlement", failures.length, done);
        const { credited } = done;
        metrics.chainWatched(network, { height, credited, failures: failures.length });
      },
    }),
    ...startPayoutWatch(core, {
      everyMs: config.settlementEveryMs,
      report: report("payouts", "watching payouts failed"),
      onPass: ({ failures, ...done }) => finished("payouts", failures.length, done),
    }),
    ...startReverseDns(core, {
      everyMs: reverseDnsEveryMs[config.mode],
      report: report("reverse_dns", "publishing reverse DNS failed"),
      onPass: ({ failures, changed }) => finished("reverse_dns", failures.length, { changed }),
    }),
    startRenewals(core, config.renewalsEveryMs, {
      onPass: (counts, failures) => {
        finished("renewals", failures, { ...counts });
        if (hasRenewals(counts)) log.info({ renewals: counts }, "renewed due servers");
      },
      onFailure: report("renewals", "a renewal failed"),
    }),
    ...startRuns(config, core, {
      everyMs: runsEveryMs,
      report: report("hardware", "a hardware run failed"),
      onPass: () => finished("hardware", 0),
    }),
    startWebhooks(core, config.webhooksEveryMs, {
      onPass: (counts) => finished("webhooks", 0, { ...counts }),
      onFailure: report("webhooks", "sending webhooks failed"),
    }),
    ...startMails(core, {
      report: (error) => {
        if (!(error instanceof MailUnavailable))
          return report("mail", "sending mail failed")(error);
        // An outage of another service, which the job survives.
        metrics.passFailed("mail");
        log.warn({ reason: error.message }, "the mail server is unavailable");
      },
      onPass: ({ failures, ...done }) => finished("mail", failures.length, done),
    }),
    startIntervalJob(
      async (stop) => {
        finished("ledger_chain", 0, await chainHistory(core, stop));
        return [];
      },
      chainEveryMs,
      report("ledger_chain", "chaining old ledger entries failed"),
    ),
    startIntervalJob(
      async () => {
        const signed = await signLiabilities(core);
        finished("liabilities", 0, { signed: signed?.isNew === true ? 1 : 0 });
        return [];
      },
      liabilitiesEveryMs,
      report("liabilities", "signing liabilities failed"),
    ),
    // Only the desk and the metrics, which share its listener, read them.
    ...(config.operatorListen === undefined
      ? []
      : [
          startIntervalJob(
            async () => {
              await sumCustomerFunds(core);
              finished("customer_funds", 0);
              return [];
            },
            fundsEveryMs,
            report("customer_funds", "summing customers' funds failed"),
          ),
        ]),
    startIntervalJob(
      async () => {
        finished("sweep", 0, { ...(await sweep(core)) });
        return [];
      },
      sweepEveryMs,
      report("sweep", "sweeping failed"),
    ),
  ];
}

/** Only instances with an operator listener need the key that opens controllers' credentials. */
function startRuns(
  { operatorListen }: Config,
  core: Core,
  timer: Parameters<typeof startHardwareRuns>[1],
): readonly IntervalJob[] {
  const { hardware } = core;
  if (hardware === undefined || operatorListen === undefined) return [];
  return [startHardwareRuns({ ...core, hardware }, timer)];
}
