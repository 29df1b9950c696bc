import type { WorkItem } from "@ironlease/client/operator";
import { CopyValue } from "#ui/copy-button.tsx";
import { CircleCheck } from "#ui/icons.ts";
import { Notice } from "#ui/notice.tsx";
import { Time } from "#ui/time.tsx";

/** The transaction that an earlier approval names: the sum has left, and must not leave again. */
export function paidWith({ approvals }: WorkItem): string | undefined {
  const named = approvals.filter(({ transactionId }) => transactionId !== undefined);
  return (named.find(counts) ?? named[0])?.transactionId;
}

/** An approval of an operator who was disabled since is shown, and does not count. */
export function counts({ voidedAt }: WorkItem["approvals"][number]): boolean {
  return voidedAt === undefined;
}

/** Who has agreed so far, and what is still missing. */
export function Approvals({
  item,
  username,
}: {
  readonly item: WorkItem;
  readonly username: string | undefined;
}) {
  const { approvals } = item;
  const counted = approvals.filter(counts);
  const isMine = counted.some(({ operator }) => operator === username);
  return (
    <div className="flex flex-col gap-4">
      {approvals.length === 0 ? (
        <p className="text-sm text-quiet">
          Nobody has approved it. From the sum on that this service has set, two different operators
          have to.
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
                {transactionId !== undefined && (
                  <CopyValue text={transactionId} what="transaction" />
                )}
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
        <Notice tone={isMine ? "info" : "warn"} title="One more operator is needed">
          <p>
            {isMine
              ? "You have approved it. Another operator must complete it. You can still reject it."
              : "Check it as if you were the first, then complete it."}
          </p>
        </Notice>
      )}
      {item.endedAt === null && paidWith(item) !== undefined && (
        <Notice tone="bad" title="It has been paid already">
          <p>An approval names a transaction. Check it, and do not pay again.</p>
        </Notice>
      )}
    </div>
  );
}
