import type { IncomingMessage } from "node:http";
import { centsFromUsd, operations } from "#contract/index.ts";
import { cleanText } from "#command-line/clean-text.ts";
import { csvText as csvLines } from "@ironlease/command-line/formats";
import { widthOf } from "@ironlease/command-line";
import { isUntrusted } from "#client/wire.ts";
import { coresOf } from "#console/account/pages/orders/catalogue-filter.ts";
import { userAgentText } from "#console/ui/user-agent-text.ts";
import { offsetOf, readJson as readTypedJson } from "#console/desk/pages/catalogue/json-text.ts";
import { readImport } from "#console/desk/pages/machines/read-import.ts";
import { readMachinesFile } from "#server/commands/machines/machines-file.ts";
import { readLocatedJson } from "#server/kernel/located-json.ts";
import { checkPublicUrl } from "#server/kernel/public-url.ts";
import { isKeyValue } from "#server/features/api-keys/key-value.ts";
import { readIfMatch } from "#server/features/catalogue/if-match.ts";
import { readSearch } from "#server/features/customers/search-text.ts";
import { readHostname } from "#server/kernel/server-hostname.ts";
import { readHostName } from "#server/features/network/host-name.ts";
import { readProof } from "#server/kernel/second-factor/totp.ts";
import { checkDestination } from "#server/kernel/destination/check-destination.ts";
import { clientAddresses } from "#server/http/wire/client-address.ts";
import { prefersCsv } from "#server/http/wire/accept.ts";
import { accountCookies, readCookies } from "#server/http/admission/cookies.ts";
import type { Exchange } from "#server/http/wire/exchange.ts";
import { compileFieldCheck } from "#server/http/admission/field-checks.ts";
import { anyOrigin, configuredOrigins } from "#server/http/admission/origins.ts";
import { encodingFor } from "#server/http/pages.ts";
import { precedence, type Listener } from "#server/http/admission/precedence.ts";
import { readJson } from "#server/http/wire/read-json.ts";
import { routeTable } from "#server/http/route-table.ts";
import { normalizeRecoveryCode } from "#server/kernel/access/readable-code.ts";
import { readSshPublicKey } from "#server/kernel/ssh-public-key.ts";
import type { Shapes } from "./shapes.ts";

export interface Parser extends Shapes {
  readonly parse: (text: string) => unknown;
}

const blanks = [" ", "\t", "  ,", " ;", ", "];
const addresses = ["1", "f", ":", "::", "1:", ".", "1.", "[", "]", "[1]:"];
const json = [
  '"',
  "\\",
  '\\"',
  "[",
  "{",
  "[]",
  "0",
  "1.",
  "1e1",
  " ",
  "\n",
  '"a":0,',
  '"\\u0000",',
];
const csvText = ['"', '""', ",", ";", " ", "\n", "\r", "a", 'a"', '" "', " ,"];
const names = ["a", "-", ".", "a.", "0", "0x", "1.", "xn--", "\u00e9", "\u0301", ":", "[", " "];

/** Everything that parses untrusted text: requests, imported files, server answers and typed input. */
export const parsers: Readonly<Record<string, Parser>> = {
  // Headers and the request line.
  "accept-encoding": {
    parse: (text) => encodingFor({ encoded: new Map([["br", Buffer.alloc(1)]]) }, text),
    starts: ["gzip", "gzip;q=0"],
    repeated: [...blanks, "0", "br;", "q=0,"],
    ends: ["b", ";q=0.5"],
  },
  accept: {
    parse: prefersCsv,
    starts: ["text/csv", "application/json;q=0"],
    repeated: [...blanks, "q=", ";q=0", "text/csv,", "*/*;"],
    ends: [";q=0.5"],
  },
  "if-match": {
    parse: readIfMatch,
    starts: ['"7"', "W/", '"'],
    repeated: [...blanks, '"', '"7" ', '"7",', "W/", "a"],
    ends: ['"'],
  },
  cookie: {
    parse: (text) => readCookies(text, accountCookies),
    starts: [accountCookies.session],
    repeated: [...blanks, "=", ";", "a=b; ", `${accountCookies.csrf}=;`],
  },
  authorization: {
    parse: (text) => stepOn("bearerOnChange", { authorization: text }),
    starts: ["Bearer", "Basic x,"],
    repeated: [...blanks, "bearer", "bearer ", ",bearer", ", bearer,"],
    ends: ["\n", "bearer"],
  },
  "content-type": {
    parse: (text) => stepOn("contentType", { "content-type": text }),
    starts: ["application/json", "application/json;", "application/json; charset"],
    repeated: [...blanks, ";charset=utf-8", "="],
    ends: ["=utf-8"],
  },
  "idempotency-key": {
    parse: (text) => stepOn("idempotencyKey", { "idempotency-key": text }),
    repeated: ["a", "-", " "],
  },
  "sec-fetch-site and origin": {
    parse: (text) => stepOn("origin", { origin: text, "sec-fetch-site": text }),
    repeated: ["cross-", "c", " "],
  },
  "x-forwarded-for": {
    parse: (text) => clientAddresses(["127.0.0.0/8"])("127.0.0.1", text),
    starts: ["[", "::ffff:"],
    repeated: [...blanks, ...addresses, "127.0.0.1,", "%a"],
    ends: ["]:1", ":1"],
  },
  host: {
    parse: (text) => [
      anyOrigin(["https"]).forHost(text),
      configuredOrigins(["https://rent.example"]).forHost(text),
    ],
    repeated: [...names, "%", "/", "@"],
    ends: [".example:1"],
  },
  path: {
    parse: (text) => routes.find(text),
    starts: ["/api/v1/servers/"],
    repeated: ["/", "a", "a/", "/api/v1/servers", "%2f"],
    ends: ["/actions"],
  },
  query: {
    parse: (text) => stepOn("fields", {}, `/api/v1/quote?${numbered(text)}`),
    repeated: ["&", "=", "#&", "#=%00&", "quantity=1&", "?", "%", "+"],
  },

  // Bodies and their fields.
  body: {
    parse: (text) => readJson(Buffer.from(numbered(text))),
    starts: ['{"a":', "[", '"'],
    repeated: [...json, '"#":0,', '"\\n#":0,'],
    ends: ['"', "]", '"":0}'],
  },
  "body fields": {
    parse: (text) => checkRegistration(Object.fromEntries(numbered(text).split(" ").entries())),
    repeated: ["a", "# "],
  },
  "string in a body": {
    parse: (text) => checkRegistration({ username: text, password: text }),
    repeated: ["a", "-", "\u{1f600}", " "],
  },
  "SSH public key": {
    parse: readSshPublicKey,
    starts: ["ssh-ed25519 AAAA ", "ssh-ed25519", "-----BEGIN "],
    repeated: [" ", "\t", "=", "A", "A ", "-", "\n----BEGIN ", "\u2028"],
    ends: ["\u2028x", "x"],
  },
  "ISO URL": {
    parse: checkPublicUrl,
    starts: ["https://", "https://a.example/", "https://[", "https://a.example:"],
    repeated: [...names, "/", "?", "%41", "]"],
    ends: [".example/", "]/"],
  },
  "PTR name": { parse: readHostName, repeated: names, ends: [".example"] },
  "server hostname": { parse: readHostname, repeated: names, ends: [".example"] },
  destination: {
    parse: (destination) =>
      (["BTC", "LTC", "XMR", "ETH"] as const).map((asset) =>
        checkDestination({ asset, destination, mode: "SIMULATED" }),
      ),
    starts: ["sim-", "bc1", "0x", "4"],
    repeated: ["1", "z", "q", "0", "-", "F"],
  },
  "USD amount": { parse: centsFromUsd, repeated: ["0", "1", "-", ".", "1."], ends: [".1", "e1"] },
  "recovery code": { parse: normalizeRecoveryCode, repeated: ["-", " ", "o", "l-"] },
  "second-factor code": {
    parse: (text) => readProof("JBSWY3DPEHPK3PXP", text, 0),
    repeated: ["1", " ", "-", "1 "],
  },
  "API key": { parse: isKeyValue, starts: ["svk_"], repeated: ["a", "svk_"] },
  search: { parse: readSearch, repeated: [...addresses, "a", "_", " ", "%", "/1", "acc_"] },

  // Files that operators import.
  "machines file": {
    parse: (text) => readMachinesFile(numbered(text)),
    starts: ["assetTag,configId,regionId\n", "[", '{"machines":['],
    repeated: [...csvText, ...json, "A#,a,b\n", '{"#":0},'],
    ends: ['"', "]", "]}"],
  },
  "catalogue file": {
    parse: (text) => readLocatedJson(numbered(text)),
    starts: ["[", "{", '{"a":"', "1."],
    repeated: [...json, '"#":0,', "0,"],
    ends: ['"', "]", "0]", "1", '"b":0}'],
  },
  "machines in the browser": {
    parse: (text) => readImport(numbered(text)),
    starts: ["assetTag,configId,regionId\n", "[", "a"],
    repeated: [...csvText, ...json, "A#,a,b\n"],
    ends: ['"', "]"],
  },
  "catalogue in the browser": {
    parse: (text) => {
      const read = readTypedJson(text);
      return read.kind === "value" ? offsetOf(text, "regions.1.id") : read.line;
    },
    starts: ["[", '["', '{"regions":['],
    repeated: [...json, "0,", '\\"'],
    ends: ['"]', "0]", "0]}"],
  },

  // Server answers that the command line and the console show, and typed input.
  "terminal text": {
    parse: (text) => widthOf(cleanText(text)),
    starts: ["\u001b", "\u001b]8;;"],
    repeated: [
      "a",
      " ",
      ";",
      "[",
      "0;",
      "\u001b",
      "\u001b[",
      "\u009b",
      "\u00e9",
      "\u0301",
      "\u202e",
    ],
    ends: ["\u0007"],
  },
  "CSV export cell": {
    parse: (text) => csvLines(["text"], [[text]]),
    repeated: ['"', ",", "a", "\n"],
  },
  "connection error code": {
    parse: (text) => isUntrusted(Object.assign(new Error("failed"), { code: text })),
    repeated: ["A", "CER", "ERR_", "_"],
  },
  "user agent": { parse: userAgentText, repeated: ["a", " ", "Headless", "Mac OS ", "/"] },
  "core count in a CPU name": {
    parse: (cpu) => coresOf({ cpu }),
    repeated: ["1", "1 ", "1 core", "-"],
  },
};

const checkRegistration = compileFieldCheck(operations.register.body);

const routes = routeTable(Object.values(operations));

/** Replaces each `#` with a different word, to exercise parsers that collect keys in a list or table. */
function numbered(text: string): string {
  let count = 0;
  return text.replaceAll("#", () => (count += 1).toString(36));
}

const operationOf = {
  bearerOnChange: operations.createApiKey,
  contentType: operations.createApiKey,
  idempotencyKey: operations.placeOrder,
  origin: operations.createApiKey,
  fields: operations.readQuote,
} as const;

const checkQuery = compileFieldCheck(operations.readQuote.query);

/** Runs one precedence step on a request that is valid except for the given headers and URL. */
function stepOn(
  step: keyof typeof operationOf,
  headers: IncomingMessage["headers"],
  url = "/",
): unknown {
  const operation = operationOf[step];
  const exchange = {
    raw: { headers, url, method: operation.method },
    route: { operation, checkBody: () => [], checkQuery },
    announcesBody: true,
    origins: [],
    unstorable: [],
  };
  const listener = { authentication: { byKey: () => undefined } };
  return precedence[step](exchange as unknown as Exchange, listener as unknown as Listener);
}
