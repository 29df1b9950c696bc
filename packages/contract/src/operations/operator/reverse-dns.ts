import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { asOperator } from "../../operator-fields.ts";
import { count, nullableText, nullableTime, text, time, words } from "../../schemas.ts";

const reverseZoneStates = ["UNKNOWN", "PRESENT", "ABSENT", "FAILED"] as const;
const driftKinds = ["FOREIGN_RECORD", "NOT_PUBLISHED"] as const;

const zoneName = text("Without a trailing dot.", "113.0.203.in-addr.arpa");

const reverseZone = Type.Object(
  {
    zone: zoneName,
    state: words(reverseZoneStates, {
      description:
        "UNKNOWN: not read yet. ABSENT: the DNS server does not have it, and no record needs it. FAILED: see `error`.",
    }),
    error: nullableText(
      "Why its records could not be published, or null.",
      "The zone 113.0.203.in-addr.arpa does not exist. Create it.",
    ),
    pending: count("Records that are not published yet."),
    failed: count("Records that could not be published."),
    comparedAt: {
      ...nullableTime,
      description: "When all its records were last compared with the settings, or null.",
    },
  },
  { title: "ReverseZone" },
);

const drift = Type.Object(
  {
    kind: words(driftKinds, {
      description:
        "FOREIGN_RECORD: the zone has a record that the service did not publish. It is never changed. NOT_PUBLISHED: the name servers do not answer the setting.",
    }),
    name: text("The name of the record.", "10.113.0.203.in-addr.arpa"),
    zone: zoneName,
    wanted: text("The setting, or empty if there is none.", "web1.example.com"),
    found: text("What DNS has, or empty for no record.", "old.example.com"),
    error: nullableText(
      "Why the record could not be published, or null.",
      "The name server 192.0.2.53 answers the old name.",
    ),
    at: { ...time, description: "When the record was seen, or when the setting changed." },
  },
  { title: "ReverseDnsDrift" },
);

const ofOversight = { ...asOperator("support"), tag: "Oversight" } as const;

export const reverseDns = {
  readReverseDns: operation({
    ...ofOversight,
    method: "GET",
    path: "/operator/v1/dns",
    summary: "Read the state of reverse DNS",
    description: "As the last run left it. Without a DNS server all lists are empty.",
    answers: {
      200: Type.Object(
        {
          isConnected: Type.Boolean({ description: "Whether `IRONLEASE_DNS` is set." }),
          error: nullableText(
            "Why the last run could not use the DNS server, or null.",
            "PowerDNS did not answer within 10000 ms.",
          ),
          checkedAt: { ...nullableTime, description: "When the last run ended, or null." },
          pending: count("Records that are not published yet."),
          failed: count("Records that could not be published."),
          zones: Type.Array(reverseZone, { description: "At most 100, those that failed first." }),
          drift: Type.Array(drift, { description: "At most 100 of each kind." }),
        },
        { title: "ReverseDnsState" },
      ),
    },
    errors: [],
  }),
  runReverseDns: operation({
    ...ofOversight,
    method: "POST",
    path: "/operator/v1/dns/run",
    summary: "Publish reverse DNS now",
    description: "Compares all zones with the settings and retries what failed, in the background.",
    answers: {
      202: Type.Object({ requestedAt: time }, { title: "ReverseDnsRun" }),
    },
    errors: ["conflict"],
  }),
};
