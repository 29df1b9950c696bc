import { Type } from "typebox";
import { credential, csrfToken } from "../credential-fields.ts";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { id, time } from "../schemas.ts";
import { totp } from "../second-factor-fields.ts";

export const session = Type.Object(
  {
    id: id("session"),
    createdAt: time,
    lastSeenAt: time,
    expiresAt: Type.String({
      format: "date-time",
      description: "The earlier of the idle timeout and the absolute timeout.",
      examples: ["2026-11-15T11:30:00.000Z"],
    }),
    ipAddress: Type.String(),
    userAgent: Type.String(),
    current: Type.Boolean({ description: "Whether this is the session of the request." }),
  },
  { title: "Session" },
);

const ofSessions = { listener: "account", tag: "Sessions", idempotency: "none" } as const;

const ofAccess = { ...ofSessions, tag: "Access" } as const;

export const sessions = {
  signIn: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/auth/login",
    summary: "Sign in",
    description:
      "Starts a session and ends the one sent with the request, if any. Confirms access to the account only. If a second factor is set up, send its current code or one of its recovery codes as `totp`. Otherwise the response is 403 `second_factor_required`, whose `fields` name `totp`.",
    extension: false,
    access: { kind: "public" },
    body: Type.Object(
      { username: credential(64), password: credential(limits.password.max, "password"), totp },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ username: Type.String(), csrfToken }) },
    cookies: "set",
    errors: ["invalid_credentials", "second_factor_required", "rate_limited"],
  }),
  signOut: operation({
    ...ofAccess,
    method: "POST",
    path: "/api/v1/auth/logout",
    summary: "Sign out",
    description: "Ends this session and clears its cookies.",
    extension: false,
    access: { kind: "session", scopes: [] },
    frozen: "allowed",
    answers: { 204: null },
    cookies: "clear",
    errors: [],
  }),
  listSessions: operation({
    ...ofSessions,
    method: "GET",
    path: "/api/v1/sessions",
    summary: "List active sessions",
    extension: false,
    access: { kind: "session", scopes: [] },
    answers: { 200: Type.Object({ sessions: Type.Array(session) }) },
    errors: [],
  }),
  revokeSession: operation({
    ...ofSessions,
    method: "DELETE",
    path: "/api/v1/sessions/{id}",
    summary: "Revoke a session",
    description: "Takes effect on its next request.",
    extension: false,
    access: { kind: "session", scopes: [] },
    frozen: "allowed",
    answers: { 204: null },
    errors: [],
  }),
};
