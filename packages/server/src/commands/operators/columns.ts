import { extras, type Column } from "@ironlease/command-line";
import { minuteText } from "#kernel/iso-time.ts";

export interface OperatorDocument {
  readonly id: string;
  readonly username: string;
  readonly role: string;
  readonly secondFactor: boolean;
  readonly allowedNetworks: readonly string[] | null;
  readonly createdAt: string;
  readonly disabledAt: string | null;
  readonly lastSeenAt: string | null;
}

const minuteOf = (time: string) => minuteText(Date.parse(time));

export const operatorColumns: readonly Column<OperatorDocument>[] = [
  { field: "username", heading: "NAME", cell: ({ username }) => username },
  { field: "role", heading: "ROLE", cell: ({ role }) => role },
  {
    field: "secondFactor",
    heading: "SECOND FACTOR",
    cell: ({ secondFactor }) => (secondFactor ? "on" : "off"),
  },
  {
    field: "disabledAt",
    heading: "DISABLED",
    cell: ({ disabledAt }) => (disabledAt === null ? "no" : `since ${minuteOf(disabledAt)}`),
  },
  {
    field: "lastSeenAt",
    heading: "LAST SEEN",
    cell: ({ lastSeenAt }) => (lastSeenAt === null ? "never" : minuteOf(lastSeenAt)),
  },
  ...extras<OperatorDocument>("id", "allowedNetworks", "createdAt"),
];
