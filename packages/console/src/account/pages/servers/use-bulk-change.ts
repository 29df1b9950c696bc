import type { Server } from "@ironlease/client";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { isSessionError } from "#data/api-errors.ts";
import { useUsername } from "#data/session.ts";
import { reads } from "#account/data/reads.ts";
import type { BulkChange } from "./bulk-changes.ts";
import { sendEach, type Outcome } from "./send-each.ts";

/** Sends a change to many servers and keeps the outcome of each. Running it again sends only what is not done. */
export function useBulkChange(change: BulkChange, servers: readonly Server[]) {
  const username = useUsername();
  const queries = useQueryClient();
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [isRunning, setIsRunning] = useState(false);
  const left = servers.filter(({ id }) => outcomes.get(id)?.kind !== "done");
  const run = async (): Promise<boolean> => {
    setIsRunning(true);
    let failures = 0;
    await sendEach(
      left,
      (server) => change.send(server, username),
      ({ id }, outcome) => {
        if (outcome.kind === "failed") failures += 1;
        setOutcomes((others) => new Map(others).set(id, outcome));
      },
      isSessionError,
    );
    setIsRunning(false);
    // Even after a failure: a refusal often means that the list is stale.
    await queries.invalidateQueries({ queryKey: reads.servers.queryKey });
    return failures === 0;
  };
  return { outcomes, isRunning, left, run };
}
