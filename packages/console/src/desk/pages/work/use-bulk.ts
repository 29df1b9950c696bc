import type { WorkItem } from "@ironlease/client/operator";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { client } from "#desk/data/client.ts";
import { keys } from "#desk/data/reads.ts";
import { usePermissions } from "#desk/data/use-permissions.ts";

export type BulkStep = "claim" | "complete" | "assign";

/** What became of one item. */
export interface BulkResult {
  readonly item: WorkItem;
  readonly step: BulkStep;
  /** Null if it succeeded. */
  readonly error: unknown;
}

/** The others need a transaction or a price, which differ for each item. */
const completable: ReadonlySet<WorkItem["kind"]> = new Set([
  "PROVISION",
  "SERVER_ACTION",
  "RECLAIM",
]);

const send: Readonly<Record<BulkStep, (item: WorkItem, text: string) => Promise<WorkItem>>> = {
  claim: ({ id }) => client.claimWork({ id }),
  complete: ({ id }, note) => client.completeWork({ id, ...(note !== "" && { note }) }),
  assign: ({ id }, operator) => client.assignWork({ id, operator: operator || null }),
};

/** Selected items of a list, and one request for each of them, one after the other. */
export function useBulk(items: readonly WorkItem[]) {
  const { canWork, username } = usePermissions();
  const queries = useQueryClient();
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [results, setResults] = useState<readonly BulkResult[]>([]);
  const [running, setRunning] = useState<{ readonly step: BulkStep; readonly total: number }>();
  const isMine = (item: WorkItem) => item.state === "CLAIMED" && item.claimedBy === username;
  const canClaim = (item: WorkItem) => canWork(item.kind) && item.state === "OPEN";
  const canComplete = (item: WorkItem) => isMine(item) && completable.has(item.kind);
  const canChoose = (item: WorkItem) => canWork(item.kind) && item.endedAt === null;
  const can = { claim: canClaim, complete: canComplete, assign: canChoose } as const;
  // What has left the list, or can no longer be chosen, is not selected any more.
  const chosenItems = items.filter((item) => selected.has(item.id) && canChoose(item));

  /** `text` is the note of a completion, or the operator to assign to. */
  const run = async (step: BulkStep, text = "") => {
    const chosen = chosenItems.filter(can[step]);
    setResults([]);
    setRunning({ step, total: chosen.length });
    for (const item of chosen) {
      let error: unknown = null;
      try {
        await send[step](item, text);
      } catch (thrown) {
        error = thrown;
      }
      setResults((earlier) => [...earlier, { item, step, error }]);
    }
    setRunning(undefined);
    for (const queryKey of [keys.work, keys.overview, keys.accounts]) {
      void queries.invalidateQueries({ queryKey });
    }
  };
  const choose = (ids: readonly string[], isChosen: boolean) => {
    const next = new Set(selected);
    for (const id of ids) {
      if (isChosen) next.add(id);
      else next.delete(id);
    }
    setSelected(next);
  };
  return {
    chosen: new Set(chosenItems.map(({ id }) => id)),
    choosable: items.filter(canChoose),
    claimable: chosenItems.filter(canClaim),
    completable: chosenItems.filter(canComplete),
    assignable: chosenItems,
    canChoose,
    choose,
    run,
    running,
    results,
    dismiss: () => setResults([]),
  };
}

export type Bulk = ReturnType<typeof useBulk>;
