import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { afterId, asOperator } from "../../operator-fields.ts";
import { catalogueId, id, text, words } from "../../schemas.ts";
import { noticeFields, noticeKinds } from "../notices.ts";

const { noticeTitle, noticeText, noticeTargets } = limits;

const notice = Type.Object(
  {
    ...noticeFields,
    serverIds: Type.Array(id("server"), { description: "The servers that it concerns." }),
    publishedBy: text("The operator. Customers do not see the name.", "alice"),
  },
  { title: "PublishedNotice" },
);

const moment = (example: string) =>
  Type.String({
    maxLength: 40,
    format: "date-time",
    examples: [example],
    message: "must be a time in UTC such as 2026-11-15T09:30:00.000Z",
  });

const ofNotices = { ...asOperator("support"), tag: "Messages" } as const;

export const operatorNotices = {
  listAllNotices: operation({
    ...ofNotices,
    method: "GET",
    path: "/operator/v1/notices",
    summary: "List notices",
    description: "Also those that have ended. Newest first, 100 per page.",
    query: Type.Object({ after: afterId("notice") }, { additionalProperties: false }),
    answers: { 200: Type.Object({ notices: Type.Array(notice) }) },
    errors: [],
  }),
  publishNotice: operation({
    ...ofNotices,
    method: "POST",
    path: "/operator/v1/notices",
    summary: "Publish a notice",
    description: `Customers with a server in one of the regions, or with one of the servers, see it until it ends. Without regions and servers it is for everyone. At most ${limits.currentNotices} can be current.`,
    body: Type.Object(
      {
        kind: words(noticeKinds),
        title: Type.String({
          minLength: noticeTitle.min,
          maxLength: noticeTitle.max,
          examples: ["Power maintenance in Frankfurt"],
          message: `must be ${noticeTitle.min} to ${noticeTitle.max} characters`,
        }),
        text: Type.String({
          minLength: noticeText.min,
          maxLength: noticeText.max,
          examples: ["Servers stay on. One of two power feeds is off for two hours."],
          message: `must be ${noticeText.min} to ${noticeText.max} characters`,
        }),
        startsAt: moment("2026-11-20T22:00:00.000Z"),
        endsAt: moment("2026-11-21T00:00:00.000Z"),
        regionIds: Type.Optional(
          Type.Array(catalogueId("region"), {
            minItems: 1,
            maxItems: noticeTargets,
            examples: [["fra"]],
            message: `must be 1 to ${noticeTargets} region ids`,
          }),
        ),
        serverIds: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 64, message: "must be a server id" }), {
            minItems: 1,
            maxItems: noticeTargets,
            examples: [["srv_01kfxq8n3ve7wt5c2m9hzr4d6y"]],
            message: `must be 1 to ${noticeTargets} server ids`,
          }),
        ),
      },
      { additionalProperties: false },
    ),
    answers: { 201: notice },
    errors: ["limit_reached", "conflict"],
  }),
  withdrawNotice: operation({
    ...ofNotices,
    method: "DELETE",
    path: "/operator/v1/notices/{id}",
    summary: "Withdraw a notice",
    description: "Customers no longer see it.",
    answers: { 204: null },
    errors: [],
  }),
};
