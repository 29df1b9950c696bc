import type { Chain } from "@ironlease/client/operator";
import { Badge } from "#ui/badge.tsx";
import { sentenceCase, sentenceOf } from "#ui/sentence-case.ts";
import type { Column } from "#ui/table.tsx";
import { Age } from "#desk/shared/age.tsx";
import { BadgeWithError } from "#desk/shared/badge-with-error.tsx";

const countText = (value: number | null) => (value === null ? "–" : value.toLocaleString("en-GB"));

export const chainColumns: readonly Column<Chain>[] = [
  {
    title: "Network",
    isHeading: true,
    cell: ({ network, mode, assets }) => (
      <span className="flex flex-col">
        <span className="flex flex-wrap items-center gap-2">
          {sentenceCase(network)}
          <Badge tone={mode === "LIVE" ? "good" : "warn"}>{sentenceCase(mode)}</Badge>
        </span>
        <span className="text-xs font-normal text-quiet">{assets.join(", ")}</span>
      </span>
    ),
  },
  { title: "Height", isNumber: true, place: "labelled", cell: ({ height }) => countText(height) },
  {
    title: "Blocks behind",
    isNumber: true,
    place: "labelled",
    cell: ({ behindBlocks }) => countText(behindBlocks),
  },
  {
    title: "Last scan",
    place: "labelled",
    cell: ({ scannedAt, scannedHeight }) => (
      <span className="flex flex-col whitespace-nowrap card:inline">
        <span>
          {scannedAt === null ? (
            "Never"
          ) : (
            <>
              <Age since={scannedAt} /> ago
            </>
          )}
        </span>{" "}
        {scannedHeight !== null && (
          <span className="text-xs text-quiet">to block {countText(scannedHeight)}</span>
        )}
      </span>
    ),
  },
  {
    title: "State",
    isFreeText: true,
    place: "corner",
    cell: ({ error }) =>
      error === null ? (
        <Badge tone="good">Available</Badge>
      ) : (
        <BadgeWithError tone="bad" text="Unavailable" error={sentenceOf(error)} />
      ),
  },
];
