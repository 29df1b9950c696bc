import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const tests = ["test/ddos-quotes.test.ts"];

/** DDoS quotes: offered, accepted, charged, renewed and expired. */
export const quoteBugs: readonly PlantedBug[] = [
  {
    name: "quote-accepted-at-any-price",
    thought: "A server has one quote, so accepting it is clear without the amount.",
    file: `${server}/kernel/ddos-quotes.ts`,
    find: '    .where("ddos_offer_cents", "=", cents)\n',
    replace: "",
    tests,
  },
  {
    name: "quote-accepted-after-expiry",
    thought: "The renewals pass withdraws expired quotes, so no one can accept one.",
    file: `${server}/kernel/ddos-quotes.ts`,
    find: '    .where("ddos_offer_expires_at", ">", now)\n',
    replace: "",
    tests,
  },
  {
    name: "accepted-quote-replaced",
    thought: "The operator holds the claim, so the offer can change until it is applied.",
    file: `${server}/kernel/ddos-quotes.ts`,
    find: `      ddos_offer_expires_at: expiresAt,
    })
    .where("ddos_offer_accepted_at", "is", null)`,
    replace: `      ddos_offer_expires_at: expiresAt,
    })`,
    tests,
  },
  {
    name: "unaccepted-quote-charged",
    thought: "An operator completes the request only after the customer has accepted.",
    file: `${server}/features/servers/charge-quote.ts`,
    find: "if (acceptedAt === null) {",
    replace: "if (acceptedAt === null && named === undefined) {",
    tests,
  },
  {
    name: "whole-term-charged",
    thought: "The quote is a price per term.",
    file: `${server}/features/servers/charge-quote.ts`,
    find: "shareOfTerm(quoteCents ?? 0,",
    replace: "((cents: number, ..._rest: unknown[]) => cents)(quoteCents ?? 0,",
    tests,
  },
  {
    name: "share-rounded-down",
    thought: "Fractions of a cent are dropped.",
    file: `${server}/kernel/terms.ts`,
    find: "left + whole) / (2n * whole)",
    replace: "left) / (2n * whole)",
    tests,
  },
  {
    name: "renewal-without-the-quote",
    thought: "A renewal costs the price of the server.",
    file: `${server}/features/renewals/find-due.ts`,
    find: "sql<number>`price_cents + ddos_cents`",
    replace: "sql<number>`price_cents`",
    tests,
  },
  {
    name: "expired-quote-shown",
    thought: "The quote is there until the renewals pass withdraws it.",
    file: `${server}/features/servers/read-server.ts`,
    find: "ddosOfferAcceptedAt === null && expiresAt <= now;",
    replace: "ddosOfferAcceptedAt !== null && expiresAt <= now;",
    tests,
  },
  {
    name: "accepted-quote-expires",
    thought: "A quote is valid for 14 days.",
    file: `${server}/features/renewals/expire-quotes.ts`,
    find: `      .where("ddos_offer_expires_at", "<=", asOf)
      .where("ddos_offer_accepted_at", "is", null)
      .forUpdate()`,
    replace: `      .where("ddos_offer_expires_at", "<=", asOf)
      .forUpdate()`,
    tests: ["test/ddos-quote-races.test.ts"],
  },
  {
    name: "message-rolled-back-with-the-refusal",
    thought: "A refused completion changes nothing.",
    file: `${server}/features/work/complete-work.ts`,
    find: "return done.value === undefined ? readWork(core, workId, tx) : ok(done.value);",
    replace:
      "return done.value === undefined ? readWork(core, workId, tx) : { ok: false, refusal: done.value.refusal };",
    tests,
  },
];
