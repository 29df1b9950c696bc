import type { InspectServerAnswer, WorkItem } from "@ironlease/client/operator";
import { deskRoutes, urlOf } from "#app/urls.ts";
import { CopyValue } from "#ui/copy-button.tsx";
import { Money } from "#ui/money.tsx";
import { sentenceCase } from "#ui/sentence-case.ts";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { summaryOf } from "#desk/shared/work-detail.ts";
import { kinds, WorkStateBadge } from "#desk/shared/work-kinds.tsx";

export const serverWorkColumns: readonly Column<WorkItem>[] = [
  {
    title: "Work",
    isHeading: true,
    cell: ({ id, kind }) => (
      <TextLink to={urlOf(deskRoutes.workItem, { id })} className="whitespace-nowrap">
        {kinds[kind].name}
      </TextLink>
    ),
  },
  {
    title: "Details",
    isFreeText: true,
    place: "detail",
    cell: (item) => (
      <span className="flex flex-col">
        {summaryOf(item)}
        {item.note !== null && (
          <span className="line-clamp-2 text-xs whitespace-pre-wrap text-quiet">{item.note}</span>
        )}
      </span>
    ),
  },
  {
    title: "State",
    place: "detail",
    cell: ({ state, outcome, claimedBy }) => (
      <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
        <WorkStateBadge state={state} />
        <span className="text-xs text-quiet">
          {[outcome === null ? "" : sentenceCase(outcome), claimedBy ?? ""]
            .filter((part) => part !== "")
            .join(", ")}
        </span>
      </span>
    ),
  },
  {
    title: "Time",
    place: "labelled",
    cell: ({ endedAt, createdAt }) => <Time at={endedAt ?? createdAt} />,
  },
];

export const addressColumns: readonly Column<InspectServerAnswer["assignments"][number]>[] = [
  {
    title: "Address",
    isHeading: true,
    cell: ({ address, prefixLength }) => (
      <CopyValue text={`${address}/${prefixLength}`} what={`address ${address}`} />
    ),
  },
  {
    title: "Reverse DNS",
    isFreeText: true,
    place: "labelled",
    cell: ({ ptr }) => (ptr === "" ? <span className="text-quiet">None</span> : ptr),
  },
];

export const chargeColumns: readonly Column<InspectServerAnswer["charges"][number]>[] = [
  { title: "Time", place: "labelled", cell: ({ createdAt }) => <Time at={createdAt} /> },
  {
    title: "Entry",
    isHeading: true,
    isFreeText: true,
    cell: ({ type, description }) => (
      <span className="flex flex-col">
        {sentenceCase(type)}
        <span className="text-xs font-normal text-quiet">{description}</span>
      </span>
    ),
  },
  {
    title: "Amount",
    isNumber: true,
    place: "corner",
    cell: ({ amountUsd }) => <Money usd={amountUsd} />,
  },
];
