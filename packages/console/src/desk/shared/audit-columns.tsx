import type { AuditEntry } from "@ironlease/client/operator";
import { withTimes } from "#ui/error-notice.tsx";
import type { Column } from "#ui/table.tsx";
import { TextLink } from "#ui/text-link.tsx";
import { Time } from "#ui/time.tsx";
import { deskRoutes } from "#app/urls.ts";
import { ShortId } from "./links.tsx";

export const auditColumns: readonly Column<AuditEntry>[] = [
  { title: "Time", cell: ({ at }) => <Time at={at} /> },
  {
    title: "Actor",
    cell: ({ actor, actorName }) => (
      <TextLink to={deskRoutes.audit} search={{ actor }}>
        {actorName ?? actor}
      </TextLink>
    ),
  },
  {
    title: "Action",
    isHeading: true,
    cell: ({ action }) => <code className="font-mono text-xs whitespace-nowrap">{action}</code>,
  },
  {
    title: "Subject",
    cell: ({ subject }) => (
      <TextLink to={deskRoutes.audit} search={{ subject }}>
        <ShortId id={subject} />
      </TextLink>
    ),
  },
  { title: "Details", cell: ({ detail }) => <AuditDetail detail={detail} /> },
  {
    title: "IP address",
    cell: ({ ipAddress }) => <code className="font-mono text-xs">{ipAddress}</code>,
  },
];

/** Names and values as recorded, times in the operator's time zone. Never shortened, because operators search in them. */
export function AuditDetail({ detail }: { readonly detail: AuditEntry["detail"] }) {
  const entries = Object.entries(detail).filter(([, value]) => value !== null);
  if (entries.length === 0) return <span className="text-quiet">–</span>;
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
