import { readFigures } from "#features/overview/read-figures.ts";
import type { Core } from "#kernel/core.ts";
import type { Metrics } from "#ports/metrics.ts";
import { ok, refuse } from "#kernel/result.ts";
import type { LivePage, PageAnswer } from "./pages.ts";
import { sharedLook } from "./shared-look.ts";

/** Where a service is between its start and its end. */
export type Phase = "starting" | "ready" | "stopping";

export interface ProbeSources {
  readonly core: Core;
  readonly metrics: Metrics;
  /** The migrations that the database lacks. Throws when it does not answer. */
  readonly pending: () => Promise<readonly string[]>;
  readonly phase: () => Phase;
}

/** Whoever probes gives up after a few seconds; the answer should come before that. */
const waitMs = 3_000;
/** Anybody who reaches the listener may ask for the figures, so asking more often costs nothing. */
const figuresAgeMs = 1_000;

/** For balancers, supervisors and Prometheus: no sign-in, and only where operators are. */
export function probePages({ core, metrics, pending, phase }: ProbeSources): LivePage[] {
  const lookAtSchema = sharedLook(pending, { waitMs });
  const lookAtFigures = sharedLook(() => readFigures(core), {
    waitMs,
    keepMs: figuresAgeMs,
    now: () => core.clock.now(),
  });
  return [
    { method: "GET", path: "/healthz", answer: async () => ok(fine) },
    {
      method: "GET",
      path: "/readyz",
      answer: async () => {
        if (phase() !== "ready") return notReady(`The service is ${phase()}.`);
        const missing = await lookAtSchema().catch(() => undefined);
        if (missing === undefined) return notReady("The database does not respond.");
        if (missing.length === 0) return ok(fine);
        return notReady(`The database lacks ${missing.join(", ")}. Run ironleased migrate.`);
      },
    },
    {
      method: "GET",
      path: "/metrics",
      answer: async () => {
        const figures = await lookAtFigures().catch(() => undefined);
        const body = metrics.text(figures);
        return ok({ headers: { "content-type": metrics.contentType }, body });
      },
    },
  ];
}

const fine: PageAnswer = {
  headers: { "content-type": "application/json; charset=utf-8" },
  body: JSON.stringify({ status: "ok" }),
};

function notReady(message: string) {
  return refuse("service_unavailable", { message });
}
