import { Tabs as BaseTabs } from "@base-ui/react/tabs";
import { Link, useNavigate } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { classNames } from "./class-names.ts";
import { useFilters } from "./filters.ts";

export interface Tab<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  /** Shown beside the label: how many rows or unread messages the tab has. */
  readonly count?: number | undefined;
  readonly content: () => ReactNode;
}

/** On a phone, more tabs than fit scroll sideways. */
const list = "flex gap-5 overflow-x-auto border-b border-line sm:gap-6 [scrollbar-width:none]";
const tab =
  "flex min-h-11 shrink-0 items-center gap-1.5 border-b-2 border-transparent text-sm font-medium whitespace-nowrap text-quiet -outline-offset-2 hover:text-text";

/**
 * Tabs of one page. The chosen one is a search parameter of the URL, so that it survives a reload and can
 * be linked to. The first tab needs no parameter. Choosing a tab drops the filters and page of the last.
 *
 * @public
 */
export function Tabs<Value extends string>({
  label,
  name = "tab",
  tabs,
}: {
  readonly label: string;
  /** The search parameter. */
  readonly name?: string;
  readonly tabs: readonly [Tab<Value>, ...Tab<Value>[]];
}) {
  const navigate = useNavigate();
  const asked = useFilters().get(name);
  const [first] = tabs;
  const chosen = tabs.find(({ value }) => value === asked) ?? first;
  return (
    <BaseTabs.Root
      value={chosen.value}
      onValueChange={(value: Value) => {
        const search = value === first.value ? {} : { [name]: value };
        void navigate({ to: ".", search, resetScroll: false });
      }}
      className="flex min-w-0 flex-col gap-6"
    >
      <BaseTabs.List aria-label={label} className={list}>
        {tabs.map(({ value, label: text, count }) => (
          <BaseTabs.Tab
            key={value}
            value={value}
            className={classNames(tab, "data-active:border-text data-active:text-text")}
          >
            {text}
            {count !== undefined && count > 0 && <Count count={count} />}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={chosen.value} className="flex min-w-0 flex-col gap-6">
        {chosen.content()}
      </BaseTabs.Panel>
    </BaseTabs.Root>
  );
}

/** Tabs that are pages of their own: links, of which the current one is marked. */
export function LinkTabs({
  label,
  tabs,
}: {
  readonly label: string;
  readonly tabs: readonly { readonly to: string; readonly label: string }[];
}) {
  return (
    <nav aria-label={label}>
      <ul className={list}>
        {tabs.map(({ to, label: text }) => (
          <li key={to}>
            <Link
              to={to}
              activeOptions={{ exact: true, includeSearch: false }}
              className={classNames(
                tab,
                "aria-[current=page]:border-text aria-[current=page]:text-text",
              )}
            >
              {text}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Count({ count }: { readonly count: number }) {
  return <span className="figures rounded-full bg-raised px-1.5 text-xs font-normal">{count}</span>;
}
