import { readFigures } from "#features/overview/read-figures.ts";
import { readReverseDnsFigure } from "#features/reverse-dns/read-figure.ts";
import { readChainFigures } from "#features/settlement/read-chain-figures.ts";
import { findNewest } from "#kernel/liability-trees.ts";
import type { Core } from "#kernel/core.ts";
import type { Metrics, ScrapedFigures } from "#ports/metrics.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { LivePage, PageAnswer } from "./pages.ts";
import { cachedProbe } from "./cached-probe.ts";

export type Phase = "starting" | "ready" | "stopping";

export interface ProbeSources {
  readonly core: Core;
  readonly metrics: Metrics;
  /** Rejects if the database does not answer. */
  readonly pendingMigrations: () => Promise<readonly string[]>;
  readonly phase: () => Phase;
}

/** Load balancers and supervisors give up after a few seconds, so the answer must come before that. */
const timeoutMs = 3_000;
/** The metrics need no sign-in, so frequent requests must not cost a query each. */
const metricsMaxAgeMs = 1_000;

async function readAllFigures(core: Core): Promise<ScrapedFigures> {
  return {
    ...(await readFigures(core)),
    acceptsWrites: await core.db.acceptsWrites(),
    chains: await readChainFigures(core),
    reverseDns: await readReverseDnsFigure(core),
    liabilitiesAt: (await findNewest(core.db.read))?.at,
  };
}

/** Probes for load balancers, supervisors and Prometheus, without sign-in. */
export function probePages({
  core,
  metrics,
  pendingMigrations,
  phase,
}: ProbeSources): readonly LivePage[] {
  const inspect = async () => ({
    acceptsWrites: await core.db.acceptsWrites(),
    pending: await pendingMigrations(),
  });
  const findState = cachedProbe(inspect, { timeoutMs });
  const findFigures = cachedProbe(() => readAllFigures(core), {
    timeoutMs,
    maxAgeMs: metricsMaxAgeMs,
    now: () => core.clock.now(),
  });
  return [
    { method: "GET", path: "/healthz", answer: async () => ok(statusOk) },
    {
      method: "GET",
      path: "/readyz",
      answer: async () => {
        if (phase() !== "ready") return notReady(`The service is ${phase()}.`);
        const state = await findState().catch(() => undefined);
        if (state === undefined) return notReady("The database does not respond.");
        if (!state.acceptsWrites) return notReady("The database is a read-only standby.");
        const { pending } = state;
        if (pending.length === 0) return ok(statusOk);
        return notReady(`The database lacks ${pending.join(", ")}. Run ironleased migrate.`);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      answer: async () => {
        const figures = await findFigures().catch(() => undefined);
        const body = metrics.text(figures);
        return ok({ headers: { "content-type": metrics.contentType }, body });
      },
    },
  ];
}

const statusOk: PageAnswer = {
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify({ status: "ok" }),
};

function notReady(message: string) {
  return refuse("service_unavailable", { message });
}
