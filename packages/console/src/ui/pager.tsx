import { LinkButton } from "./button.tsx";
import { ArrowRight } from "./icons.ts";
import { hasMore, useFilters } from "./filters.ts";

/** Cursor pagination. The browser's Back button returns to the previous page. */
export function Pager({ rows }: { readonly rows: readonly { readonly id: string }[] }) {
  const { search } = useFilters();
  const { after, ...rest } = search;
  const isFirst = after === undefined || after === "";
  const isLast = !hasMore(rows);
  if (isFirst && isLast) return null;
  return (
    <nav aria-label="Pages" className="flex flex-wrap items-center gap-2 border-t border-line p-4">
      {!isFirst && (
        <LinkButton size="small" to="." search={rest}>
          First page
        </LinkButton>
      )}
      {!isLast && (
        <LinkButton
          size="small"
          to="."
          search={{ ...rest, after: rows.at(-1)?.id ?? "" }}
          icon={<ArrowRight aria-hidden className="size-4" />}
        >
          Next page
        </LinkButton>
      )}
    </nav>
  );
}
