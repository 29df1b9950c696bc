import { LinkButton } from "./button.tsx";
import { ArrowRight } from "./icons.ts";
import { hasMore, useFilters } from "./filters.ts";

/** Cursor pagination of a list whose cursor is the last row's id. Back returns to the previous page. */
export function Pager({ rows }: { readonly rows: readonly { readonly id: string }[] }) {
  return <CursorPager next={hasMore(rows) ? rows.at(-1)?.id : undefined} />;
}

/**
 * The same for a list whose answer names the next page. `next` is missing or null on the last page.
 *
 * @public
 */
export function CursorPager({ next }: { readonly next: string | null | undefined }) {
  const { search } = useFilters();
  const { after, ...rest } = search;
  const isFirst = after === undefined || after === "";
  const isLast = next === undefined || next === null || next === "";
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
          search={{ ...rest, after: next }}
          icon={<ArrowRight aria-hidden className="size-4" />}
        >
          Next page
        </LinkButton>
      )}
    </nav>
  );
}
