import { EmptyState } from "#ui/states.tsx";
import type { Difference } from "./diff-catalogue.ts";

const maxShown = 200;

/** Every difference with its old and new value. */
export function DifferenceList({
  isReadable = true,
  differences,
}: {
  readonly isReadable?: boolean;
  readonly differences: readonly Difference[];
}) {
  if (!isReadable) return <EmptyState title="Invalid JSON" />;
  if (differences.length === 0) return <EmptyState title="No changes" />;
  return (
    <ul
      aria-label="Changes"
      // Keyboard users must be able to focus a list that scrolls.
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
      tabIndex={0}
      className="max-h-[60vh] divide-y divide-line overflow-y-auto border-t border-line text-sm"
    >
      {differences.slice(0, maxShown).map(({ path, before, after }) => (
        <li key={path} className="flex flex-col gap-1 px-5 py-2.5 sm:px-6">
          <span className="font-medium break-words">{path}</span>
          {before !== undefined && <Value sign="−" word="before" tone="text-bad" text={before} />}
          {after !== undefined && <Value sign="+" word="after" tone="text-good" text={after} />}
        </li>
      ))}
      {differences.length > maxShown && (
        <li className="px-5 py-2.5 text-quiet sm:px-6">
          And {differences.length - maxShown} more.
        </li>
      )}
    </ul>
  );
}

function Value({
  sign,
  word,
  tone,
  text,
}: {
  readonly sign: string;
  readonly word: string;
  readonly tone: string;
  readonly text: string;
}) {
  return (
    <span className="flex gap-2">
      <span aria-hidden className={tone}>
        {sign}
      </span>
      <span className="sr-only">{word}</span>
      <code className={`font-mono text-xs break-all ${tone}`}>{text}</code>
    </span>
  );
}
