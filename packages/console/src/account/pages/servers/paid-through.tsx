import type { Server } from "@ironlease/client";
import { remainingText, Time, useNow } from "#ui/time.tsx";

/** The end of the paid term, or the time left in the grace period. */
export function PaidThrough({
  server,
}: {
  readonly server: Pick<Server, "state" | "paidThrough" | "graceUntil">;
}) {
  const { state, paidThrough, graceUntil } = server;
  if (paidThrough === null) return <span className="text-quiet">Starts at delivery</span>;
  return (
    <span className="flex flex-col">
      <Time at={paidThrough} />
      {state === "GRACE" && graceUntil !== null && <GraceLeft until={graceUntil} />}
    </span>
  );
}

function GraceLeft({ until }: { readonly until: string }) {
  const left = Date.parse(until) - useNow(1_000);
  return (
    <span className="figures text-xs font-medium text-warn" title={`Grace period ends ${until}`}>
      {left > 0 ? `Ends in ${remainingText(left)}` : "Grace period over"}
    </span>
  );
}
