import type { ReadReverseDnsAnswer } from "@ironlease/client/operator";
import { Badge, type BadgeTone } from "#ui/badge.tsx";
import { classNames } from "#ui/class-names.ts";
import type { Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";

type Zone = ReadReverseDnsAnswer["zones"][number];
type Drift = ReadReverseDnsAnswer["drift"][number];

const states: Readonly<Record<Zone["state"], { tone: BadgeTone; text: string }>> = {
  UNKNOWN: { tone: "wait", text: "Not read yet" },
  PRESENT: { tone: "good", text: "Present" },
  ABSENT: { tone: "plain", text: "Not needed yet" },
  FAILED: { tone: "bad", text: "Failed" },
};

/** An error is on a line of its own in a card, because it is long. */
const stateClass = (error: string | null) =>
  classNames(
    "flex flex-col gap-1 py-1",
    error !== null && "card:w-[calc(100cqw-2*var(--panel-inset))]",
  );

const nameText = (name: string) => (name === "" ? "None" : name);

export const zoneColumns: readonly Column<Zone>[] = [
  {
    title: "Zone",
    isHeading: true,
    cell: ({ zone }) => <code className="font-mono wrap-anywhere">{zone}</code>,
  },
  {
    title: "State",
    place: "corner",
    isFreeText: true,
    cell: ({ state, error }) => (
      <span className={stateClass(error)}>
        <Badge tone={states[state].tone}>{states[state].text}</Badge>
        {error !== null && <span className="max-w-md text-xs text-quiet">{error}</span>}
      </span>
    ),
  },
  { title: "Pending", isNumber: true, place: "labelled", cell: ({ pending }) => pending },
  { title: "Failed", isNumber: true, place: "labelled", cell: ({ failed }) => failed },
  {
    title: "Compared",
    place: "labelled",
    cell: ({ comparedAt }) => (comparedAt === null ? "Never" : <Time at={comparedAt} />),
  },
];

export const driftColumns: readonly Column<Drift>[] = [
  {
    title: "Record",
    isHeading: true,
    cell: ({ name }) => <code className="font-mono wrap-anywhere">{name}</code>,
  },
  {
    title: "Problem",
    place: "corner",
    isFreeText: true,
    cell: ({ kind, error }) => (
      <span className={stateClass(error)}>
        <Badge tone={kind === "FOREIGN_RECORD" ? "warn" : "bad"}>
          {kind === "FOREIGN_RECORD" ? "Foreign record" : "Not published"}
        </Badge>
        {error !== null && <span className="max-w-md text-xs text-quiet">{error}</span>}
      </span>
    ),
  },
  { title: "Setting", isFreeText: true, place: "labelled", cell: ({ wanted }) => nameText(wanted) },
  { title: "In DNS", isFreeText: true, place: "labelled", cell: ({ found }) => nameText(found) },
];
