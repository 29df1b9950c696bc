import { Badge, type BadgeTone } from "#ui/badge.tsx";

/** A state, and below it the error that explains it. Errors are long, so in a card the two have a line of their own. */
export function BadgeWithError({
  tone,
  text,
  error,
}: {
  readonly tone: BadgeTone;
  readonly text: string;
  readonly error: string | null;
}) {
  if (error === null) return <Badge tone={tone}>{text}</Badge>;
  return (
    <span className="flex flex-col gap-1 py-1 card:w-[calc(100cqw-2*var(--panel-inset))]">
      <Badge tone={tone}>{text}</Badge>
      <span className="max-w-md text-xs text-quiet">{error}</span>
    </span>
  );
}
