import * as read from "./setting-readers.ts";
import { certificateSettings } from "./certificate-settings.ts";
import { hardwareSettings } from "./hardware-settings.ts";
import { keySettings } from "./key-settings.ts";
import { retentionSettings } from "./retention-settings.ts";
import { accountLimitSettings } from "./account-limit-settings.ts";
import { mailSettings } from "./mail-settings.ts";
import { settlementSettings } from "./settlement-settings.ts";
import { webhookSettings } from "./webhook-settings.ts";
import { workSettings } from "./work-settings.ts";

/**
 * `preview` runs the service with demo data and simulated payments, `serve` runs it with neither, and
 * `command` opens the data of either for one command, with the defaults of `serve`.
 */
export type Mode = "preview" | "serve" | "command";

export interface Setting<T> {
  readonly name: string;
  /** As a user would write it, or one value per mode of the service. */
  readonly default: string | undefined | Readonly<Record<"preview" | "serve", string | undefined>>;
  readonly secret?: true;
  readonly meaning: string;
  /** Throws the end of a sentence that starts with the name: "must be …". */
  readonly read: (text: string) => T;
}

/** All settings. The reference page is generated from this table. */
export const settings = {
  data: {
    name: "IRONLEASE_DATA",
    default: "./data",
    meaning:
      "Data folder, with the SQLite file, the local certificates, the key that encrypts second factors and webhook secrets, and the key that signs statements.",
    read: read.text,
  },
  ...keySettings,
  ...retentionSettings,
  databaseUrl: {
    name: "IRONLEASE_DATABASE_URL",
    default: undefined,
    secret: true,
    meaning:
      "`postgres://…` for PostgreSQL, with several hosts as in `postgres://one,two/db?target_session_attrs=read-write`. By default, SQLite in the data folder.",
    read: read.postgresUrl,
  },
  databasePool: {
    name: "IRONLEASE_DATABASE_POOL",
    default: "4",
    meaning:
      "Number of PostgreSQL connections per process for writes, and the same number for reads. The writes of one account use at most half of them. About two per core is fastest.",
    read: read.integer(1, 200),
  },
  databaseAnswerMs: {
    name: "IRONLEASE_DATABASE_ANSWER",
    default: "10s",
    meaning:
      "Time limit for a PostgreSQL statement or commit, and for silence during a migration. After it, the request fails with 503.",
    read: read.duration,
  },
  listen: {
    name: "IRONLEASE_LISTEN",
    default: "127.0.0.1:8443",
    meaning: "Address and port of the account listener. Port 0 picks a free port.",
    read: read.listen,
  },
  operatorListen: {
    name: "IRONLEASE_OPERATOR_LISTEN",
    default: "127.0.0.1:8444",
    meaning: "Address and port of the operator listener, or `off`. Keep it off the public network.",
    read: (text: string) => (text === "off" ? undefined : read.listen(text)),
  },
  origin: {
    name: "IRONLEASE_ORIGIN",
    default: undefined,
    meaning:
      "Origins that browsers use, comma-separated, such as `https://rent.example`. The default on a loopback listener is localhost, 127.0.0.1 and [::1] with its port. On other listeners, `serve` requires it and `preview` accepts the Host of the request.",
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
      "`self-signed` (a local CA in the data folder), `CERTIFICATE.pem,KEY.pem` (read again when they change and on SIGHUP), `acme` ([a certificate authority](../guides/run-it.md#certificates)), or `off` behind a proxy that terminates TLS.",
    read: read.tls,
  },
  ...certificateSettings,
  hsts: {
    name: "IRONLEASE_HSTS",
    default: { preview: "off", serve: "on" },
    meaning:
      "Strict-Transport-Security, which makes browsers use HTTPS only: `on` for this host, `include-subdomains` for its subdomains as well, or `off`. `preview` accepts only `off`, because the header would affect every site on localhost.",
    read: read.oneOf("off", "on", "include-subdomains"),
  },
  trustProxy: {
    name: "IRONLEASE_TRUST_PROXY",
    default: undefined,
    meaning: "Proxies whose X-Forwarded-For is trusted: addresses or networks, comma-separated.",
    read: read.networks,
  },
  ...settlementSettings,
  brand: {
    name: "IRONLEASE_BRAND",
    default: undefined,
    meaning:
      "Path of a [brand file](../guides/set-your-brand.md): name, logo, accent colour, support text and links in both consoles, e-mails and the reference.",
    read: read.text,
  },
  dns: {
    name: "IRONLEASE_DNS",
    default: undefined,
    meaning:
      "Path of a [DNS file](../guides/connect-powerdns.md), to publish reverse DNS. By default, it is only stored.",
    read: read.text,
  },
  ...mailSettings,
  ...hardwareSettings,
  graceMs: {
    name: "IRONLEASE_GRACE",
    default: "72h",
    meaning: "Grace period: how long an unpaid server is kept after `paidThrough`.",
    read: read.duration,
  },
  renewalsEveryMs: {
    name: "IRONLEASE_RENEWALS_EVERY",
    default: { preview: "5s", serve: "1m" },
    meaning: "How often to renew the servers that are due, start their grace period, or end them.",
    read: read.duration,
  },
  ...webhookSettings,
  ...workSettings,
  openActionsPerServer: {
    name: "IRONLEASE_OPEN_ACTIONS_PER_SERVER",
    default: "20",
    meaning: "Maximum number of open actions per server. Further requests fail with 409.",
    read: read.integer(1, 1_000_000),
  },
  openActionsPerAccount: {
    name: "IRONLEASE_OPEN_ACTIONS_PER_ACCOUNT",
    default: "100",
    meaning: "Maximum number of open actions per account. Further requests fail with 409.",
    read: read.integer(1, 1_000_000),
  },
  operatorPassword: {
    name: "IRONLEASE_OPERATOR_PASSWORD",
    default: undefined,
    secret: true,
    meaning:
      "Password of the preview's operator, `operator`. By default, one is generated and printed once.",
    read: read.text,
  },
  logLevel: {
    name: "IRONLEASE_LOG_LEVEL",
    default: "info",
    meaning: "`debug`, `info` (one line per request), `warn`, `error` or `silent`.",
    read: read.oneOf("debug", "info", "warn", "error", "silent"),
  },
  connections: {
    name: "IRONLEASE_CONNECTIONS",
    default: "10000",
    meaning:
      "Maximum number of connections per listener. When it is reached, idle connections are closed to make room.",
    read: read.integer(1, 1_000_000),
  },
  requestTimeoutMs: {
    name: "IRONLEASE_ARRIVAL",
    default: "30s",
    meaning:
      "Time limit for receiving a request, and for the TLS handshake before it. Headers have two thirds of it.",
    read: read.duration,
  },
  idleTimeoutMs: {
    name: "IRONLEASE_SILENCE",
    default: "65s",
    meaning:
      "Idle timeout of a connection, between requests or while a response is not read. Keep it longer than the timeout of a proxy in front.",
    read: read.duration,
  },
  drainMs: {
    name: "IRONLEASE_DRAIN",
    default: "30s",
    meaning: "How long requests in progress may take to finish after SIGTERM.",
    read: read.duration,
  },
  sessionIdleMs: {
    name: "IRONLEASE_SESSION_IDLE",
    default: "2h",
    meaning: "A session without requests expires after this time.",
    read: read.duration,
  },
  sessionTotalMs: {
    name: "IRONLEASE_SESSION_TOTAL",
    default: "12h",
    meaning: "Maximum lifetime of a session.",
    read: read.duration,
  },
  authLimits: {
    name: "IRONLEASE_AUTH_LIMITS",
    default: "on",
    meaning: "`off` disables the rate limits for load tests, in preview only.",
    read: read.oneOf("on", "off"),
  },
  signInPerAddressAndUsername: {
    name: "IRONLEASE_LIMIT_SIGN_IN",
    default: read.defaultRate("signInPerAddressAndUsername"),
    meaning: "Failed sign-ins per client address and username.",
    read: read.rateLimit,
  },
  signInPerAddress: {
    name: "IRONLEASE_LIMIT_SIGN_IN_ADDRESS",
    default: read.defaultRate("signInPerAddress"),
    meaning: "Failed sign-ins per client address.",
    read: read.rateLimit,
  },
  registrationPerAddress: {
    name: "IRONLEASE_LIMIT_REGISTRATION",
    default: { preview: "1000/60m", serve: read.defaultRate("registrationPerAddress") },
    meaning: "Registrations per client address.",
    read: read.rateLimit,
  },
  secondFactorPerOperator: {
    name: "IRONLEASE_LIMIT_SECOND_FACTOR",
    default: read.defaultRate("secondFactorPerOperator"),
    meaning: "Wrong second-factor codes per account or operator, from any address.",
    read: read.rateLimit,
  },
  ...accountLimitSettings,
  recoveryPerAddressAndUsername: {
    name: "IRONLEASE_LIMIT_RECOVERY",
    default: read.defaultRate("recoveryPerAddressAndUsername"),
    meaning: "Account recoveries per client address and username.",
    read: read.rateLimit,
  },
  recoveryPerAddress: {
    name: "IRONLEASE_LIMIT_RECOVERY_ADDRESS",
    default: read.defaultRate("recoveryPerAddress"),
    meaning: "Account recoveries per client address.",
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
