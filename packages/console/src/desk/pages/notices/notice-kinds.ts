import type { Notice } from "@ironlease/client/operator";

export const noticeKinds: Readonly<Record<Notice["kind"], string>> = {
  MAINTENANCE: "Planned maintenance",
  INCIDENT: "Incident",
};
