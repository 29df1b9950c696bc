import type { Notice, Server } from "@ironlease/client";

/** Whether a notice concerns a server. A notice without regions and servers is for everyone. */
export function concerns(
  { regionIds, serverIds }: Notice,
  { id, region }: Pick<Server, "id" | "region">,
): boolean {
  const isForAll = regionIds.length === 0 && serverIds.length === 0;
  return isForAll || regionIds.includes(region) || serverIds.includes(id);
}

export function hasStarted({ startsAt }: Notice, now: number): boolean {
  return Date.parse(startsAt) <= now;
}

/** Those that have not ended: first incidents in progress, then maintenance in progress, then what is planned. */
export function currentNotices(notices: readonly Notice[], now: number): readonly Notice[] {
  const orderOf = (notice: Notice) => {
    if (!hasStarted(notice, now)) return `2 ${notice.startsAt}`;
    return `${notice.kind === "INCIDENT" ? 0 : 1} ${notice.startsAt}`;
  };
  return notices
    .filter(({ endsAt }) => Date.parse(endsAt) > now)
    .toSorted((a, b) => orderOf(a).localeCompare(orderOf(b)));
}
