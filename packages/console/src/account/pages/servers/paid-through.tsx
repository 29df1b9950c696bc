import type { Server } from "@ironlease/client";
import { remainingText, Time, useNow } from "#ui/time.tsx";

/** Until when it is paid; in grace, how much of the grace is left. */
export function PaidThrough({
  server,
}: {
  readonly server: Pick<Server, "state" | "paidThrough" | "graceUntil">;
}) {
  const { state, paidThrough, graceUntil } = server;
  if (paidThrough === null) return <span className="text-quiet">From delivery</span>;
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
    <span className="figures text-xs font-medium text-warn" title={`Grace ends ${until}`}>
      {left > 0 ? `Ends in ${remainingText(left)}` : "Grace is over"}
    </span>
  );
}
