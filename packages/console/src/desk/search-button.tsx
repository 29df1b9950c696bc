import { Suspense, useEffect, useState } from "react";
import { lazyPart } from "#app/lazy-part.tsx";
import { createStore, useStore } from "#data/store.ts";
import { Search } from "#ui/icons.ts";

const loadDialog = async () => (await import("./pages/search/search-dialog.tsx")).SearchDialog;
const SearchDialog = lazyPart(loadDialog);

const isMac = /mac/i.test(navigator.userAgent);

/** Opens the search of everything, as do Ctrl+K (on a Mac ⌘K) and `/`. */
export function SearchButton({ onGo }: { readonly onGo?: (() => void) | undefined }) {
  return (
    <button
      type="button"
      aria-keyshortcuts={`${isMac ? "Meta" : "Control"}+K /`}
      className="flex min-h-10 w-full items-center gap-2.5 rounded-md border border-control bg-surface px-3 text-sm text-quiet hover:bg-raised hover:text-text"
      onClick={() => {
        // Closes the phone's menu first, so that only one dialog is open.
        onGo?.();
        isSearching.set(true);
      }}
    >
      <Search aria-hidden className="size-4" />
      Search
      <kbd className="ml-auto font-sans text-xs pointer-coarse:hidden max-lg:hidden">
        {isMac ? "⌘K" : "Ctrl K"}
      </kbd>
    </button>
  );
}

const isSearching = createStore(false);

/** Part of the shell, because the button that opens it may be in a menu that closes. */
export function SearchOutlet() {
  const isOpen = useStore(isSearching);
  // Rendered from the first use on, so that closing can return the focus.
  const [isUsed, setIsUsed] = useState(false);
  if (isOpen && !isUsed) setIsUsed(true);
  useEffect(() => {
    // Loaded before it is needed, so that what is typed right after the shortcut is not lost. A failure
    // shows on use.
    void loadDialog().catch(() => undefined);
    const open = (event: KeyboardEvent) => {
      if (!opensSearch(event)) return;
      event.preventDefault();
      isSearching.set(true);
    };
    document.addEventListener("keydown", open);
    return () => {
      document.removeEventListener("keydown", open);
      isSearching.set(false);
    };
  }, []);
  if (!isUsed) return null;
  return (
    <Suspense>
      <SearchDialog isOpen={isOpen} onClose={() => isSearching.set(false)} />
    </Suspense>
  );
}

function opensSearch(event: KeyboardEvent): boolean {
  if (event.altKey || event.shiftKey || event.defaultPrevented) return false;
  if (event.metaKey || event.ctrlKey) return event.key.toLowerCase() === "k";
  return (
    event.key === "/" && !isTyping(event.target) && document.querySelector("[role=dialog]") === null
  );
}

/** A slash belongs to the text. */
function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches("input, textarea, select, [contenteditable]");
}
