import { useNavigate, useSearch } from "@tanstack/react-router";

/** The page size of the API. A shorter page is the last one. */
const pageLength = 100;

/** A list's filters, kept in the URL. Changing one returns to the first page. */
export function useFilters() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    get: (name: string): string => search[name] ?? "",
    set: (changes: Readonly<Record<string, string>>) => {
      const { after: _after, ...rest } = search;
      void navigate({ to: ".", search: { ...rest, ...changes }, replace: true });
    },
    search,
  };
}

/** Validates a value from the URL. */
export function oneOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}

/** Omits an empty filter from a request. */
export function optional(text: string): string | undefined {
  return text === "" ? undefined : text;
}

export function hasMore(rows: readonly unknown[]): boolean {
  return rows.length >= pageLength;
}
