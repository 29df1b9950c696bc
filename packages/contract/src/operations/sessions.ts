import { Type } from "typebox";
import { operation } from "../operation.ts";
import { id, time } from "../schemas.ts";

const session = Type.Object(
  {
    id: id("session"),
    createdAt: time,
    lastSeenAt: time,
    expiresAt: Type.String({
      format: "date-time",
      description: "The nearer of the idle end and the end of the whole session.",
      examples: ["2026-11-15T11:30:00.000Z"],
    }),
    ipAddress: Type.String(),
    userAgent: Type.String(),
    current: Type.Boolean({ description: "Whether this request was made in it." }),
  },
  { title: "Session" },
);

const ofAccount = { listener: "account", tag: "Sessions", idempotency: "none" } as const;

export const sessions = {
  listSessions: operation({
    ...ofAccount,
    method: "GET",
    path: "/api/v1/sessions",
    summary: "List active sessions",
    extension: false,
    access: { kind: "session", scopes: [] },
    answers: { 200: Type.Object({ sessions: Type.Array(session) }) },
    errors: [],
  }),
  revokeSession: operation({
    ...ofAccount,
    method: "DELETE",
    path: "/api/v1/sessions/{id}",
    summary: "Revoke a session",
    description: "It fails on its very next request.",
    extension: false,
    access: { kind: "session", scopes: [] },
    frozen: "allowed",
    answers: { 204: null },
    errors: [],
  }),
};
