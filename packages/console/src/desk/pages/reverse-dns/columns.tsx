import type { ReadReverseDnsAnswer } from "@ironlease/client/operator";
import type { BadgeTone } from "#ui/badge.tsx";
import type { Column } from "#ui/table.tsx";
import { Time } from "#ui/time.tsx";
import { BadgeWithError } from "#desk/shared/badge-with-error.tsx";

type Zone = ReadReverseDnsAnswer["zones"][number];
type Drift = ReadReverseDnsAnswer["drift"][number];

const states: Readonly<Record<Zone["state"], { tone: BadgeTone; text: string }>> = {
  UNKNOWN: { tone: "wait", text: "Not read yet" },
  PRESENT: { tone: "good", text: "Present" },
  ABSENT: { tone: "plain", text: "Not needed yet" },
  FAILED: { tone: "bad", text: "Failed" },
};

const problems: Readonly<Record<Drift["kind"], { tone: BadgeTone; text: string }>> = {
  FOREIGN_RECORD: { tone: "warn", text: "Foreign record" },
  NOT_PUBLISHED: { tone: "bad", text: "Not published" },
};

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
    cell: ({ state, error }) => <BadgeWithError {...states[state]} error={error} />,
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
    cell: ({ kind, error }) => <BadgeWithError {...problems[kind]} error={error} />,
  },
  { title: "Setting", isFreeText: true, place: "labelled", cell: ({ wanted }) => nameText(wanted) },
  { title: "In DNS", isFreeText: true, place: "labelled", cell: ({ found }) => nameText(found) },
];
