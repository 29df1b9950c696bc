import { Type } from "typebox";
import { limits } from "../../limits.ts";
import { operation } from "../../operation.ts";
import { asOperator, search as searchText } from "../../operator-fields.ts";
import { nullableText, text, words } from "../../schemas.ts";

/** What a search finds, in the order of the results. */
export const searchKinds = ["ACCOUNT", "SERVER", "MACHINE", "WORK", "THREAD", "PAYOUT"] as const;

export const searchMatches = [
  "id",
  "username",
  "hostname",
  "label",
  "address",
  "assetTag",
  "serialNumber",
  "depositAddress",
  "transactionId",
] as const;

const result = Type.Object(
  {
    kind: words(searchKinds),
    id: text("The id of the account, server and so on.", "srv_01kfxq8n3ve7wt5c2m9hzr4d6y"),
    name: nullableText(
      "The username, host name, asset tag or subject. Null if it has none.",
      "web1.example.com",
    ),
    state: nullableText("Of an account `FROZEN` or `CLOSED`.", "ACTIVE"),
    username: nullableText("The customer. Null if it belongs to none.", "ada"),
    matchedBy: words(searchMatches),
    matched: text("What the search matches.", "web1.example.com"),
  },
  { title: "SearchResult" },
);

export const search = {
  search: operation({
    ...asOperator("support"),
    tag: "Oversight",
    method: "GET",
    path: "/operator/v1/search",
    summary: "Search everything",
    description: `Finds the start of a username, host name, label, asset tag or serial number, in any case, and a whole id, IP address in any notation, deposit address or transaction id. The id of a record without a page of its own, such as a deposit, finds where it is shown. At most ${limits.searchResults} results per kind and match, by kind.`,
    query: Type.Object(
      { query: searchText("What to find.", "web1.example.com") },
      { additionalProperties: false },
    ),
    answers: { 200: Type.Object({ results: Type.Array(result) }) },
    errors: [],
  }),
};
