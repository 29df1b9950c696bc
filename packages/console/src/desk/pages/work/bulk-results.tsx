import { apiErrorOf } from "#data/api-errors.ts";
import { Button } from "#ui/button.tsx";
import { withTimes } from "#ui/error-notice.tsx";
import { Notice } from "#ui/notice.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { summaryOf } from "#desk/shared/work-detail.ts";
import { kinds } from "#desk/shared/work-kinds.tsx";
import type { Bulk, BulkStep } from "./use-bulk.ts";

const past: Readonly<Record<BulkStep, string>> = {
  claim: "claimed",
  complete: "completed",
  assign: "assigned",
};

/** What became of each item. Those that failed are named with the reason. */
export function BulkResults({ bulk: { results, running, dismiss } }: { readonly bulk: Bulk }) {
  const [first] = results;
  if (first === undefined || running !== undefined) return null;
  const failed = results.filter(({ error }) => error !== null);
  const done = results.length - failed.length;
  return (
    <Notice
      isAnnounced
      tone={failed.length === 0 ? "good" : "warn"}
      title={`${done} of ${results.length} ${past[first.step]}`}
    >
      {failed.length > 0 && (
        <ul aria-label="Failed items" className="list-disc pl-5">
          {failed.map(({ item, error }) => (
            <li key={item.id} className="wrap-anywhere">
              <TextLink to={urlOf(deskRoutes.workItem, { id: item.id })}>
                {kinds[item.kind].name}, {summaryOf(item)}
              </TextLink>
              : {withTimes(reasonOf(error))}
            </li>
          ))}
        </ul>
      )}
      <div className="mt-2">
        <Button size="small" onClick={dismiss}>
          Dismiss
        </Button>
      </div>
    </Notice>
  );
}

/** Without an answer, the item itself shows what became of it. */
function reasonOf(error: unknown): string {
  return (
    apiErrorOf(error)?.message ?? "The service did not answer. Open the item to see its state."
  );
}
