import type { Notice as NoticeRecord, Server } from "@ironlease/client";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Button } from "#ui/button.tsx";
import { Notice } from "#ui/notice.tsx";
import { remainingText } from "#ui/remaining-text.ts";
import { Time, useNow } from "#ui/time.tsx";
import { reads } from "#account/data/reads.ts";
import { concerns, currentNotices, hasStarted } from "./current-notices.ts";

const shownCount = 3;

/** The current notices about a server, or about any of the account's servers. */
export function NoticeBanners({ server }: { readonly server?: Server | undefined }) {
  const { data } = useQuery(reads.notices);
  const now = useNow(60_000);
  const [isOpen, setIsOpen] = useState(false);
  const all = data?.notices ?? [];
  const about = server === undefined ? all : all.filter((notice) => concerns(notice, server));
  const current = currentNotices(about, now);
  if (current.length === 0) return null;
  const shown = isOpen ? current : current.slice(0, shownCount);
  const hidden = current.length - shown.length;
  return (
    <section aria-label="Notices" className="flex flex-col gap-3">
      {shown.map((notice) => (
        <Banner key={notice.id} notice={notice} now={now} />
      ))}
      {hidden > 0 && (
        <div>
          <Button size="small" onClick={() => setIsOpen(true)}>
            Show {hidden} more {hidden === 1 ? "notice" : "notices"}
          </Button>
        </div>
      )}
    </section>
  );
}

const kinds = { MAINTENANCE: "Planned maintenance", INCIDENT: "Incident" } as const;

/** The kind is in the title, so that the colour does not carry meaning on its own. */
function Banner({ notice, now }: { readonly notice: NoticeRecord; readonly now: number }) {
  const { kind, title, text, startsAt, endsAt } = notice;
  const isNow = hasStarted(notice, now);
  const tone = kind === "INCIDENT" ? "bad" : "warn";
  return (
    <Notice
      tone={isNow ? tone : "info"}
      title={
        <span className="wrap-anywhere">
          {kinds[kind]}: {title}
        </span>
      }
    >
      <p className="max-w-prose whitespace-pre-wrap wrap-anywhere">{text}</p>
      <p className="text-quiet">
        {isNow ? "In progress" : `Starts in ${remainingText(Date.parse(startsAt) - now)}`}.{" "}
        <Time at={startsAt} /> to <Time at={endsAt} />.
      </p>
    </Notice>
  );
}
