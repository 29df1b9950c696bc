import type { SearchResult, Server } from "@ironlease/client/operator";
import { useEffect, useRef } from "react";
import { classNames } from "#ui/class-names.ts";
import { sentenceCase } from "#ui/sentence-case.ts";
import { serverStateWord } from "#desk/shared/server-state.tsx";
import { kinds as workKinds, type WorkKind } from "#desk/shared/work-kinds.tsx";

const groups: Readonly<Record<SearchResult["kind"], string>> = {
  ACCOUNT: "Accounts",
  SERVER: "Servers",
  MACHINE: "Machines",
  WORK: "Work",
  THREAD: "Messages",
  PAYOUT: "Payouts",
};

const matches: Readonly<Record<SearchResult["matchedBy"], string>> = {
  id: "Id",
  username: "Username",
  hostname: "Host name",
  label: "Label",
  address: "Address",
  assetTag: "Asset tag",
  serialNumber: "Serial number",
  depositAddress: "Deposit address",
  transactionId: "Transaction",
};

function stateText(kind: SearchResult["kind"], state: string): string {
  return kind === "SERVER" ? serverStateWord(state as Server["state"]) : sentenceCase(state);
}

export const optionId = (listId: string, index: number) => `${listId}-${index}`;

/** The results by kind, in the order of the answer. */
export function ResultList({
  id,
  results,
  active,
  onPoint,
  onChoose,
}: {
  readonly id: string;
  readonly results: readonly SearchResult[];
  /** The index that Enter opens. */
  readonly active: number;
  readonly onPoint: (index: number) => void;
  readonly onChoose: (result: SearchResult) => void;
}) {
  const numbered = results.map((result, index) => ({ result, index }));
  const byKind = Map.groupBy(numbered, ({ result }) => result.kind);
  return (
    <div role="listbox" id={id} aria-label="Results" className="flex flex-col gap-2 p-2">
      {[...byKind].map(([kind, found]) => (
        <div key={kind} role="group" aria-labelledby={`${id}-${kind}`}>
          <div id={`${id}-${kind}`} className="px-2 py-1 text-xs font-medium text-quiet">
            {groups[kind]}
          </div>
          {found.map(({ result, index }) => (
            <Option
              key={`${result.id}-${result.matchedBy}`}
              id={optionId(id, index)}
              result={result}
              isActive={index === active}
              onPoint={() => onPoint(index)}
              onChoose={() => onChoose(result)}
            />
          ))}
        </div>
      ))}
    </div>
  );
}

function Option({
  id,
  result,
  isActive,
  onPoint,
  onChoose,
}: {
  readonly id: string;
  readonly result: SearchResult;
  readonly isActive: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
}) {
  const option = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (isActive) option.current?.scrollIntoView({ block: "nearest" });
  }, [isActive]);
  const { kind, name, state, username, matchedBy, matched } = result;
  const shownName = kind === "WORK" ? workKinds[name as WorkKind].name : name;
  const isNameMatched = matched === shownName;
  return (
    // The keyboard works in the field, which names the active option.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      ref={option}
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      onPointerMove={onPoint}
      onClick={onChoose}
      className={classNames(
        "flex min-h-11 cursor-pointer items-center justify-between gap-4 rounded-md px-2 py-1.5 text-sm",
        isActive && "bg-chosen-soft",
      )}
    >
      <span className="flex min-w-0 flex-col">
        <span className="truncate font-medium">{shownName ?? "Not delivered"}</span>
        {!isNameMatched && (
          <span className="truncate text-xs text-quiet">
            {matches[matchedBy]} {matched}
          </span>
        )}
      </span>
      <span className="flex shrink-0 flex-col items-end text-xs text-quiet">
        {state !== null && <span>{stateText(kind, state)}</span>}
        {username !== null && kind !== "ACCOUNT" && (
          <span className="max-w-40 truncate">{username}</span>
        )}
      </span>
    </div>
  );
}
