import { useQuery } from "@tanstack/react-query";
import { LinkButton } from "#ui/button.tsx";
import { classNames } from "#ui/class-names.ts";
import { CircleAlert, Info, TriangleAlert } from "#ui/icons.ts";
import { remainingText } from "#ui/remaining-text.ts";
import { useNow } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { useServerNames } from "#account/shared/use-server-names.ts";
import { attentionItems, type AttentionItem } from "./attention.ts";

const tones = {
  bad: { colour: "text-bad", Icon: CircleAlert },
  warn: { colour: "text-warn", Icon: TriangleAlert },
  info: { colour: "text-wait", Icon: Info },
} as const;

/** What needs the customer now. Notices and a frozen account have their own banners above. */
export function AttentionStrip() {
  const { data: summary } = useQuery(reads.accountSummary);
  const { data: changes } = useQuery(reads.accountChanges);
  const firsts = [summary?.grace.first, summary?.quotes.first].flatMap((first) => first ?? []);
  const nameOf = useServerNames(firsts);
  const now = useNow(60_000);
  if (summary === undefined) return null;
  const unread = changes?.unread ?? 0;
  const items = attentionItems(summary, unread, {
    timeUntil: (at) => remainingText(Date.parse(at) - now),
    nameOf,
  });
  if (items.length === 0) return null;
  return (
    <section aria-label="Needs your attention">
      <ul className="divide-y divide-line overflow-hidden rounded-lg border border-line bg-surface shadow-panel">
        {items.map((item) => (
          <Row key={item.title} item={item} />
        ))}
      </ul>
    </section>
  );
}

function Row({ item: { tone, title, text, action } }: { readonly item: AttentionItem }) {
  const { colour, Icon } = tones[tone];
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3 text-sm">
      <div className="flex min-w-0 grow basis-64 gap-3">
        <Icon aria-hidden className={classNames("mt-0.5 size-4.5 shrink-0", colour)} />
        <p className="flex min-w-0 flex-col">
          <span className="font-semibold">{title}</span>
          <span className="text-quiet wrap-anywhere">{text}</span>
        </p>
      </div>
      <LinkButton size="small" to={action.to} search={action.search ?? {}}>
        {action.label}
      </LinkButton>
    </li>
  );
}
