import { Type } from "typebox";
import { limits } from "./limits.ts";
import { assignment } from "./operations/network.ts";
import { term } from "./operations/catalogue.ts";
import { afterId, search } from "./operator-fields.ts";
import {
  catalogueId,
  count,
  id,
  integerInQuery,
  nullableText,
  nullableTime,
  text,
  time,
  usd,
  words,
} from "./schemas.ts";

export const serverStates = ["PROVISIONING", "ACTIVE", "GRACE", "SUSPENDED", "TERMINATED"] as const;
const currentStates = ["PROVISIONING", "ACTIVE", "GRACE", "SUSPENDED"] as const;
const serverSorts = ["createdAt", "paidThrough", "name"] as const;
export const ddosModes = ["BASELINE", "ADVANCED"] as const;
export const serverFields = {
  id: id("server"),
  orderId: Type.String(),
  configId: Type.String(),
  osId: Type.String(),
  hostname: nullableText("Null until delivery."),
  state: words(serverStates),
  region: Type.String({ description: "The region id." }),
  term,
  priceUsd: { ...usd, description: "Per term, for the machine alone." },
  ddosUsd: {
    ...usd,
    description: "Per term, for DDoS mode ADVANCED. Every renewal charges it with the price.",
  },
  paidThrough: nullableTime,
  graceUntil: nullableTime,
  autoRenew: Type.Boolean(),
  ddosMode: words(ddosModes),
  label: text("Your own name for the server. Empty if it has none.", "Shop database"),
  createdAt: time,
  suspension: Type.Optional(
    Type.Object(
      { reason: text("The reason that the operator gave."), since: time },
      {
        title: "Suspension",
        description: "Present while the server is SUSPENDED.",
      },
    ),
  ),
};

export const serverRecord = Type.Object(serverFields, { title: "Server" });

export const listedServer = Type.Object(
  {
    ...serverFields,
    assignments: Type.Optional(
      Type.Array(assignment, { description: "Present with `include=assignments`." }),
    ),
  },
  { title: "ListedServer" },
);

export const pastServer = Type.Object({ ...serverFields, endedAt: time }, { title: "PastServer" });

export const serverCount = Type.Object(
  { state: words(currentStates), region: serverFields.region, servers: count("At least 1.") },
  {
    title: "ServerCount",
    examples: [{ state: "ACTIVE", region: "fra", servers: 12 }],
  },
);

/** Without any of these the list is the specification's. */
export const serverFilter = Type.Object(
  {
    limit: Type.Optional(integerInQuery({ min: 1, max: limits.listLength })),
    after: afterId("server"),
    state: Type.Optional(words(currentStates)),
    regionId: Type.Optional(catalogueId("region")),
    query: search("Part of a label, host name or address, in any case, or an id.", "shop"),
    sort: Type.Optional(
      words(serverSorts, {
        description:
          "createdAt: newest first, the default. paidThrough: due soonest first. name: by label, or host name without one.",
      }),
    ),
    include: Type.Optional(
      words(["assignments"], { description: "Adds the addresses of each server." }),
    ),
  },
  { additionalProperties: false },
);
