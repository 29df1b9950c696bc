import type { WorkItem } from "@ironlease/client/operator";
import { Badge } from "#ui/badge.tsx";
import { useNow } from "#ui/time.tsx";

const everyMs = 30_000;

/** Marks an item that has taken longer than its target. */
export function DueBadge({ item: { dueAt } }: { readonly item: Pick<WorkItem, "dueAt"> }) {
  const now = useNow(everyMs);
  if (dueAt === null || Date.parse(dueAt) > now) return null;
  return <Badge tone="bad">Overdue</Badge>;
}
