import type { WorkItem } from "@ironlease/client/operator";
import { IdText } from "#ui/id-text.tsx";
import { CircleCheck } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";
import { Time } from "#ui/time.tsx";

/** The transaction named by an earlier approval: the withdrawal is paid and must not be paid again. */
export function earlierTransactionOf({ approvals }: WorkItem): string | undefined {
  const named = approvals.filter(({ transactionId }) => transactionId !== undefined);
  return (named.find(isCounted) ?? named[0])?.transactionId;
}

/** Approvals of operators who were disabled later do not count. */
export function isCounted({ voidedAt }: WorkItem["approvals"][number]): boolean {
  return voidedAt === undefined;
}

/** The approvals so far, and whether another is needed. */
export function Approvals({
  item,
  username,
}: {
  readonly item: WorkItem;
  readonly username: string | undefined;
}) {
  const { approvals } = item;
  const counted = approvals.filter(isCounted);
  const isMine = counted.some(({ operator }) => operator === username);
  return (
    <div className="flex flex-col gap-4">
      {approvals.length === 0 ? (
        <p className="text-sm text-quiet">
          No approvals yet. Large withdrawals need approval by two operators.
        </p>
      ) : (
        <ul className="flex flex-col gap-3">
          {approvals.map(({ operator, at, transactionId, note, voidedAt }) => (
            <li key={`${operator} ${at}`} className="flex gap-3 text-sm">
              <CircleCheck aria-hidden className="mt-0.5 size-4.5 shrink-0 text-good" />
              <div className="flex min-w-0 flex-col">
                <span>
                  Approved by <span className="font-medium">{operator}</span>, <Time at={at} />
                </span>
                {transactionId !== undefined && <IdText id={transactionId} what="transaction" />}
                {note !== undefined && <span className="text-quiet">{note}</span>}
                {voidedAt !== undefined && (
                  <span className="text-quiet">
                    Does not count: {operator} was disabled <Time at={voidedAt} />
                  </span>
                )}
              </div>
            </li>
          ))}
        </ul>
      )}
      {item.endedAt === null && counted.length > 0 && (
        <Notice tone={isMine ? "info" : "warn"} title="One more approval needed">
          <p>
            {isMine
              ? "You approved this. Another operator must complete it. You can still reject it."
              : "Review it independently, then complete it."}
          </p>
        </Notice>
      )}
      {item.endedAt === null && earlierTransactionOf(item) !== undefined && (
        <Notice tone="bad" title="Already paid">
          <p>An approval names a transaction. Verify it, and do not pay again.</p>
        </Notice>
      )}
    </div>
  );
}
