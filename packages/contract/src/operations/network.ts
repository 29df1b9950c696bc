import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { id, nullableTime, text } from "../schemas.ts";

const publishedPtr = Type.Object(
  {
    ptr: text("Empty if the name servers have no record.", "web1.example.com"),
    checkedAt: { ...nullableTime, description: "When they were last asked, or null." },
  },
  { title: "PublishedPtr" },
);

export const assignment = Type.Object(
  {
    id: id("assignment"),
    serverId: Type.String(),
    address: text("The IPv4 address, or the first address of an IPv6 prefix.", "203.0.113.10"),
    prefixLength: Type.Integer(),
    family: Type.Unsafe<4 | 6>({ type: "integer", enum: [4, 6] }),
    ptr: text("The stored reverse DNS name, or empty if none is set.", "web1.example.com"),
    ptrPublished: Type.Union([publishedPtr, Type.Null()], {
      description:
        "*Extension.* What the name servers answered for the address. Null if no DNS server is connected.",
    }),
  },
  { title: "NetworkAssignment" },
);

export const network = {
  listAssignments: operation({
    listener: "account",
    tag: "Network",
    method: "GET",
    path: "/api/v1/network",
    summary: "List assigned addresses",
    extension: false,
    access: { kind: "session", scopes: ["servers"] },
    idempotency: "none",
    answers: { 200: Type.Object({ assignments: Type.Array(assignment) }) },
    errors: [],
  }),
  setReverseDns: operation({
    listener: "account",
    tag: "Network",
    method: "PUT",
    path: "/api/v1/network/{id}/rdns",
    summary: "Set or clear a reverse DNS name",
    description:
      "Stores the name. Public DNS may not serve it yet: `ptrPublished` says what it serves.",
    extension: false,
    access: { kind: "session", scopes: [] },
    idempotency: "none",
    body: Type.Object(
      {
        ptr: Type.Unsafe<string | null>({
          type: ["string", "null"],
          maxLength: 1_024,
          description: `A host name of at most ${limits.hostNameLength} characters. Empty or null clears it.`,
          message: "must be a host name, or empty or null to clear it",
        }),
      },
      { additionalProperties: false },
    ),
    answers: {
      200: Type.Object({ id: id("assignment"), ptr: Type.String() }, { title: "ReverseDns" }),
    },
    errors: [],
  }),
};
