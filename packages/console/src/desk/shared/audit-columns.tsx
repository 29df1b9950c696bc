import type { AuditEntry } from "@ironlease/client/operator";
import { withTimes } from "#ui/error-notice.tsx";
import { NoValue, type Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes } from "#app/urls.ts";
import { ShortId } from "./links.tsx";

export const auditColumns: readonly Column<AuditEntry>[] = [
  { title: "Time", place: "corner", cell: ({ at }) => <Time at={at} /> },
  {
    title: "Actor",
    place: "detail",
    cell: ({ actor, actorName }) => (
      <TextLink to={deskRoutes.audit} search={{ actor }}>
        {actorName ?? actor}
      </TextLink>
    ),
  },
  {
    title: "Action",
    isHeading: true,
    cell: ({ action }) => (
      <code className="font-mono text-xs wrap-anywhere whitespace-nowrap card:whitespace-normal">
        {action}
      </code>
    ),
  },
  {
    title: "Subject",
    place: "detail",
    cell: ({ subject }) => (
      <TextLink to={deskRoutes.audit} search={{ subject }}>
        <ShortId id={subject} />
      </TextLink>
    ),
  },
  {
    title: "IP address",
    place: "detail",
    cell: ({ ipAddress }) => <code className="font-mono text-xs">{ipAddress}</code>,
  },
  {
    title: "Details",
    place: "detail",
    cell: ({ detail }) => <AuditDetail detail={detail} />,
  },
];

/** Names and values as recorded, times in the operator's time zone. Never shortened, because operators search in them. */
export function AuditDetail({ detail }: { readonly detail: AuditEntry["detail"] }) {
  const entries = Object.entries(detail).filter(([, value]) => value !== null);
  if (entries.length === 0) return <NoValue />;
  return (
    <span className="flex flex-wrap gap-x-3 text-xs">
      {entries.map(([name, value]) => (
        <span key={name} className="min-w-0 wrap-anywhere">
          <span className="text-quiet">{name}</span> {withTimes(valueText(value))}
        </span>
      ))}
    </span>
  );
}

function valueText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
