import { rateLimits, type RateLimitName } from "@ironlease/contract";
import * as read from "./setting-readers.ts";

/**
 * `preview` runs the service with demo data and simulated payments, `serve` runs it with neither, and
 * `command` opens the data of either for one command, with the defaults of `serve`.
 */
export type Mode = "preview" | "serve" | "command";

export interface Setting<T> {
  readonly name: string;
  /** As a user would write it, or one for each way to run the service. */
  readonly default: string | undefined | Readonly<Record<"preview" | "serve", string | undefined>>;
  readonly secret?: true;
  readonly meaning: string;
  /** Throws a sentence fragment that says what the value must be. */
  readonly read: (text: string) => T;
}

const rate = (name: RateLimitName) =>
  `${rateLimits[name].count}/${rateLimits[name].windowSeconds / 60}m`;

/** Every setting there is. The reference page is made from this table. */
export const settings = {
  data: {
    name: "IRONLEASE_DATA",
    default: "./data",
    meaning:
      "The data folder: the SQLite file, the local certificates and the key of second factors.",
    read: read.text,
  },
  secretFile: {
    name: "IRONLEASE_SECRET_FILE",
    default: undefined,
    meaning:
      "The file with the key that operators' second factors are sealed with. Without it: `secret.key` in the data folder, made at the first start. Instances on several machines need the same.",
    read: read.text,
  },
  databaseUrl: {
    name: "IRONLEASE_DATABASE_URL",
    default: undefined,
    secret: true,
    meaning: "`postgres://…` for PostgreSQL. Without it: SQLite in the data folder.",
    read: read.postgresUrl,
  },
  databasePool: {
    name: "IRONLEASE_DATABASE_POOL",
    default: "4",
    meaning:
      "How many PostgreSQL connections a process has for writes, and as many again for reads. One account's writes use at most half of them. About two a core is fastest.",
    read: read.integer(1, 200),
  },
  databaseAnswer: {
    name: "IRONLEASE_DATABASE_ANSWER",
    default: "10s",
    meaning:
      "How long PostgreSQL may take to answer a statement or a commit, and may be silent during a migration. Then the request is answered with 503.",
    read: read.duration,
  },
  listen: {
    name: "IRONLEASE_LISTEN",
    default: "127.0.0.1:8443",
    meaning: "Address and port of the account listener. Port 0 takes a free one.",
    read: read.listen,
  },
  operatorListen: {
    name: "IRONLEASE_OPERATOR_LISTEN",
    default: "127.0.0.1:8444",
    meaning:
      "Address and port of the operators' listener, or `off`. Keep it off the public network.",
    read: (text: string) => (text === "off" ? undefined : read.listen(text)),
  },
  origin: {
    name: "IRONLEASE_ORIGIN",
    default: undefined,
    meaning:
      "The addresses that browsers use, comma-separated, such as `https://rent.example`. On a loopback listener: localhost, 127.0.0.1 and [::1] with its port. On any other, `serve` needs it and `preview` takes the request's own Host.",
    read: read.origins,
  },
  operatorOrigin: {
    name: "IRONLEASE_OPERATOR_ORIGIN",
    default: undefined,
    meaning: "The same for the operator listener.",
    read: read.origins,
  },
  tls: {
    name: "IRONLEASE_TLS",
    default: "self-signed",
    meaning:
      "`self-signed` (a local CA in the data folder), `CERTIFICATE.pem,KEY.pem`, or `off` behind a proxy that ends TLS.",
    read: read.tls,
  },
  hsts: {
    name: "IRONLEASE_HSTS",
    default: { preview: "off", serve: "on" },
    meaning:
      "Tells browsers to use HTTPS only (Strict-Transport-Security): `on` for this host, `include-subdomains` for this host and every name below it, or `off`. `preview` takes only `off`: the header would bind every site on localhost.",
    read: read.oneOf("off", "on", "include-subdomains"),
  },
  trustProxy: {
    name: "IRONLEASE_TRUST_PROXY",
    default: undefined,
    meaning:
      "Addresses or networks, comma-separated, of proxies whose X-Forwarded-For is believed. None by default.",
    read: read.networks,
  },
  settlement: {
    name: "IRONLEASE_SETTLEMENT",
    default: { preview: "simulated", serve: "none" },
    meaning:
      "The settlement provider: `simulated` (preview only) or `none`, which refuses deposits.",
    read: read.oneOf("simulated", "none"),
  },
  settlementEvery: {
    name: "IRONLEASE_SETTLEMENT_EVERY",
    default: { preview: "1s", serve: "30s" },
    meaning: "How often the settlement provider is asked for payments.",
    read: read.duration,
  },
  grace: {
    name: "IRONLEASE_GRACE",
    default: "72h",
    meaning: "How long a server that is not paid for is kept after `paidThrough`.",
    read: read.duration,
  },
  renewalsEvery: {
    name: "IRONLEASE_RENEWALS_EVERY",
    default: { preview: "5s", serve: "1m" },
    meaning: "How often servers that are due are renewed, put into grace or ended.",
    read: read.duration,
  },
  twoOperatorsFrom: {
    name: "IRONLEASE_TWO_OPERATORS_FROM",
    default: "5000",
    meaning: "From how many USD on a withdrawal needs two operators.",
    read: read.usd,
  },
  openActionsPerServer: {
    name: "IRONLEASE_OPEN_ACTIONS_PER_SERVER",
    default: "20",
    meaning: "How many actions of one server may be open at once. More are refused with 409.",
    read: read.integer(1, 1_000_000),
  },
  openActionsPerAccount: {
    name: "IRONLEASE_OPEN_ACTIONS_PER_ACCOUNT",
    default: "100",
    meaning: "How many actions of one account may be open at once. More are refused with 409.",
    read: read.integer(1, 1_000_000),
  },
  operatorPassword: {
    name: "IRONLEASE_OPERATOR_PASSWORD",
    default: undefined,
    secret: true,
    meaning:
      "In preview, the password of the operator `operator`. Without it one is made and printed once.",
    read: read.text,
  },
  logLevel: {
    name: "IRONLEASE_LOG_LEVEL",
    default: "info",
    meaning: "`debug`, `info` (a line for each request), `warn`, `error` or `silent`.",
    read: read.oneOf("debug", "info", "warn", "error", "silent"),
  },
  connections: {
    name: "IRONLEASE_CONNECTIONS",
    default: "10000",
    meaning:
      "How many connections each listener holds at most. When it is full, idle ones are closed for others.",
    read: read.integer(1, 1_000_000),
  },
  arrival: {
    name: "IRONLEASE_ARRIVAL",
    default: "30s",
    meaning:
      "How long a request may take to arrive, and the TLS handshake before it. Headers have two thirds of it.",
    read: read.duration,
  },
  silence: {
    name: "IRONLEASE_SILENCE",
    default: "65s",
    meaning:
      "How long a connection stays on which nothing moves: between two requests, or while an answer is not read. Keep it above what a proxy in front waits.",
    read: read.duration,
  },
  drain: {
    name: "IRONLEASE_DRAIN",
    default: "30s",
    meaning: "How long requests under way may take to finish after SIGTERM.",
    read: read.duration,
  },
  sessionIdle: {
    name: "IRONLEASE_SESSION_IDLE",
    default: "2h",
    meaning: "How long a session lives without a request.",
    read: read.duration,
  },
  sessionTotal: {
    name: "IRONLEASE_SESSION_TOTAL",
    default: "12h",
    meaning: "How long a session lives in all.",
    read: read.duration,
  },
  authLimits: {
    name: "IRONLEASE_AUTH_LIMITS",
    default: "on",
    meaning: "`off` switches the rate limits off for load tests, in preview only.",
    read: read.oneOf("on", "off"),
  },
  signInPerAddressAndUsername: {
    name: "IRONLEASE_LIMIT_SIGN_IN",
    default: rate("signInPerAddressAndUsername"),
    meaning: "Failed sign-ins for each client address and username.",
    read: read.rateLimit,
  },
  signInPerAddress: {
    name: "IRONLEASE_LIMIT_SIGN_IN_ADDRESS",
    default: rate("signInPerAddress"),
    meaning: "Failed sign-ins for each client address.",
    read: read.rateLimit,
  },
  registrationPerAddress: {
    name: "IRONLEASE_LIMIT_REGISTRATION",
    default: { preview: "1000/60m", serve: rate("registrationPerAddress") },
    meaning: "Registrations for each client address.",
    read: read.rateLimit,
  },
  secondFactorPerOperator: {
    name: "IRONLEASE_LIMIT_SECOND_FACTOR",
    default: rate("secondFactorPerOperator"),
    meaning: "Wrong codes of the second factor for each operator, from wherever they come.",
    read: read.rateLimit,
  },
  recoveryPerAddressAndUsername: {
    name: "IRONLEASE_LIMIT_RECOVERY",
    default: rate("recoveryPerAddressAndUsername"),
    meaning: "Recoveries for each client address and username.",
    read: read.rateLimit,
  },
  recoveryPerAddress: {
    name: "IRONLEASE_LIMIT_RECOVERY_ADDRESS",
    default: rate("recoveryPerAddress"),
    meaning: "Recoveries for each client address.",
    read: read.rateLimit,
  },
} as const satisfies Record<string, Setting<unknown>>;

type Settings = typeof settings;

export type Config = { readonly mode: Mode } & {
  readonly [Key in keyof Settings]:
    | ReturnType<Settings[Key]["read"]>
    | (undefined extends DefaultOf<Settings[Key]["default"]> ? undefined : never);
};

type DefaultOf<D> = D extends Readonly<Record<"preview" | "serve", infer V>> ? V : D;

export function defaultFor(setting: Setting<unknown>, mode: Mode): string | undefined {
  if (typeof setting.default !== "object") return setting.default;
  return setting.default[mode === "preview" ? "preview" : "serve"];
}
