import type { SearchResult } from "@ironlease/client/operator";
import { Dialog } from "@base-ui/react/dialog";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useId, useState, type KeyboardEvent } from "react";
import { IconButton } from "#ui/button.tsx";
import { Search, X } from "#ui/icons.ts";
import { useOverlayRoot } from "#ui/overlay-root.tsx";
import { ErrorNotice } from "#ui/error-notice.tsx";
import { reads } from "#desk/data/reads.ts";
import { ResultList, optionId } from "./result-list.tsx";
import { placeOf } from "./result-place.ts";

const pauseMs = 120;

/** Finds anything by name, id, address or transaction. Made for the keyboard. */
export function SearchDialog({
  isOpen,
  onClose,
}: {
  readonly isOpen: boolean;
  readonly onClose: () => void;
}) {
  const container = useOverlayRoot();
  return (
    <Dialog.Root
      open={isOpen}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Dialog.Portal container={container}>
        <Dialog.Backdrop className="fixed inset-0 z-30 bg-veil" />
        <Dialog.Popup className="fixed inset-x-0 top-0 z-40 mx-auto flex max-h-[80dvh] w-full max-w-2xl flex-col overflow-hidden border border-line bg-surface shadow-float outline-none sm:top-[12vh] sm:rounded-lg">
          <Dialog.Title className="sr-only">Search</Dialog.Title>
          <SearchBox onClose={onClose} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function SearchBox({ onClose }: { readonly onClose: () => void }) {
  const listId = useId();
  const navigate = useNavigate();
  const [text, setText] = useState("");
  const query = usePaused(text.trim());
  const { data, error, isPlaceholderData } = useQuery(reads.search(query));
  const [active, setActive] = useState(0);
  const results = query === "" ? [] : (data?.results ?? []);
  const isCurrent = query === text.trim() && !isPlaceholderData && data !== undefined;
  const go = (result: SearchResult) => {
    onClose();
    void navigate({ ...placeOf(result) });
  };
  // An id has one meaning, so there is nothing to choose.
  const [only] = results;
  const exact = isCurrent && results.length === 1 && only?.matchedBy === "id" ? only : undefined;
  useEffect(() => {
    if (exact !== undefined) go(exact);
    // oxlint-disable-next-line react/exhaustive-deps -- `go` is new on each render
  }, [exact?.id]);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") {
      const chosen = isCurrent ? results[active] : undefined;
      if (chosen !== undefined) go(chosen);
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const step = event.key === "ArrowDown" ? 1 : -1;
      if (results.length > 0) setActive((active + step + results.length) % results.length);
    } else return;
    event.preventDefault();
  };
  return (
    <>
      <div className="flex items-center gap-3 border-b border-line px-4">
        <Search aria-hidden className="size-4.5 shrink-0 text-quiet" />
        <input
          type="text"
          role="combobox"
          aria-label="Search"
          aria-expanded={results.length > 0}
          aria-controls={listId}
          aria-activedescendant={results.length > 0 ? optionId(listId, active) : undefined}
          aria-autocomplete="list"
          placeholder="Name, address, tag, transaction or id"
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setActive(0);
          }}
          onKeyDown={onKeyDown}
          maxLength={128}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          className="min-h-14 w-full min-w-0 bg-transparent text-base text-text outline-none placeholder:text-quiet"
        />
        <kbd className="shrink-0 rounded border border-line px-1.5 py-0.5 font-sans text-xs text-quiet max-sm:hidden">
          Esc
        </kbd>
        <IconButton
          label="Close"
          className="-mr-2 sm:hidden"
          icon={<X aria-hidden className="size-4" />}
          onClick={onClose}
        />
      </div>
      <div className="min-h-0 overflow-y-auto">
        {error !== null && (
          <div className="p-4">
            <ErrorNotice error={error} />
          </div>
        )}
        <p role="status" className="sr-only">
          {isCurrent && `${results.length} ${results.length === 1 ? "result" : "results"}`}
        </p>
        {results.length > 0 ? (
          <ResultList
            id={listId}
            results={results}
            active={active}
            onPoint={setActive}
            onChoose={go}
          />
        ) : (
          error === null && (
            <p className="px-4 py-6 text-sm text-quiet">
              {isCurrent && query !== ""
                ? "Nothing found. Names match from their start; ids, addresses and transactions must be complete."
                : "Names match from their start. An id opens its page at once."}
            </p>
          )
        )}
      </div>
    </>
  );
}

/** The text once typing pauses, so that not every letter is a request. */
function usePaused(text: string): string {
  const [paused, setPaused] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(text), pauseMs);
    return () => clearTimeout(timer);
  }, [text]);
  return paused;
}
