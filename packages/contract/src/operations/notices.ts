import { Type } from "typebox";
import { operation } from "../operation.ts";
import { id, text, time, words } from "../schemas.ts";

export const noticeKinds = ["MAINTENANCE", "INCIDENT"] as const;

export const noticeFields = {
  id: id("notice"),
  kind: words(noticeKinds, {
    description: "MAINTENANCE is planned, an INCIDENT is not.",
  }),
  title: text("What happens.", "Power maintenance in Frankfurt"),
  text: text("Plain text.", "Servers stay on. One of two power feeds is off for two hours."),
  startsAt: time,
  endsAt: time,
  regionIds: Type.Array(Type.String({ examples: ["fra"] }), {
    description: "The regions that it concerns.",
  }),
  createdAt: time,
};

const notice = Type.Object(
  {
    ...noticeFields,
    serverIds: Type.Array(id("server"), {
      description: "Your servers that it names. If it names no region either, it is for everyone.",
    }),
  },
  { title: "Notice" },
);

export const notices = {
  listNotices: operation({
    listener: "account",
    tag: "Messages",
    method: "GET",
    path: "/api/v1/notices",
    summary: "List current notices",
    description:
      "Planned maintenance and incidents for everyone, for a region of your servers or for one of your servers. In order of their start, without those that have ended.",
    extension: true,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    answers: { 200: Type.Object({ notices: Type.Array(notice) }) },
    errors: [],
  }),
};
