import { useNavigate, useSearch } from "@tanstack/react-router";

/** As many as the service puts on a page; fewer means that there are no more. */
const pageLength = 100;

/**
 * What a list is narrowed down to, kept in the page's address: it can be sent to a colleague, and the
 * way back leads to the list as it was. A change of any of it starts from the first page again.
 */
export function useFilters() {
  const search: Readonly<Record<string, string | undefined>> = useSearch({ strict: false });
  const navigate = useNavigate();
  return {
    of: (name: string): string => search[name] ?? "",
    set: (changes: Readonly<Record<string, string>>) => {
      const { after: _after, ...rest } = search;
      void navigate({ to: ".", search: { ...rest, ...changes }, replace: true });
    },
    search,
  };
}

/** The value when it is one of these words, as an address may hold anything. */
export function oneOf<Word extends string>(words: readonly Word[], text: string): Word | undefined {
  return words.find((word) => word === text);
}

/** For a request, in which what is empty is left out. */
export function given(text: string): string | undefined {
  return text === "" ? undefined : text;
}

export function hasMore(rows: readonly unknown[]): boolean {
  return rows.length >= pageLength;
}
