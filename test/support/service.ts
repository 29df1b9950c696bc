import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createArgon2 } from "#server/adapters/system/argon2.ts";
import { ensureCertificate } from "#server/adapters/system/certificate.ts";
import { readConfig, type Mode } from "#server/config.ts";
import { createLog } from "#server/adapters/system/log.ts";
import { startService, type StartSteps } from "#server/composition/start-service.ts";
import type { Overrides } from "#server/composition/create-core.ts";
import type { Core } from "#server/kernel/core.ts";
import type { OperatorRole } from "#server/ports/schema.ts";
import type { Engine } from "#server/ports/db.ts";
import { httpsClient, type Answer, type RequestOptions, type Send } from "./https-client.ts";
import { speedUnderTest } from "./speed.ts";
import { signInOperator, type SignedInOperator } from "./operators.ts";
import { copySqliteTemplate } from "./template-database.ts";
import { createMigratedDatabase } from "./test-database.ts";

/** A clock that stands still until a test moves it. */
export interface MovableClock {
  now(): number;
  advance(ms: number): void;
}

export interface TestService {
  readonly url: string;
  readonly ca: string;
  readonly core: Core;
  /** Reads certificate files again, or asks whether a new certificate is due. */
  readonly reloadCertificate: () => void;
  readonly clock: MovableClock;
  /** The lines of the service's log. */
  readonly logged: readonly string[];
  readonly send: Send;
  register(username?: string): Promise<Customer>;
  /** The URL of the operators' listener. */
  readonly operatorUrl: string;
  /** Like `send`, to the operators' listener. */
  readonly sendToDesk: Send;
  /** A new operator, signed in. */
  operator(role: OperatorRole): Promise<SignedInOperator>;
  close(): Promise<void>;
}

/** A signed-in customer, with the cookies and the CSRF token of one session. */
export interface Customer {
  readonly username: string;
  readonly password: string;
  readonly recoveryCode: string;
  readonly cookie: string;
  readonly csrfToken: string;
  readonly send: Send;
}

export interface TestServiceOptions extends Overrides, Pick<StartSteps, "beforeReady"> {
  readonly mode?: Mode;
  readonly settings?: Readonly<Record<string, string>>;
}

export const password = "a long pass phrase";

/** Real hashes at a fraction of the cost, because every customer and operator of a test needs some. */
export const testCost = { memory: 64, passes: 1 };

let usernames = 0;

/** Starts the real service in this process, with HTTPS on a free port. */
export async function startTestService(
  engine: Engine,
  options: TestServiceOptions = {},
): Promise<TestService> {
  const folder = mkdtempSync(join(tmpdir(), "ironlease-test-"));
  const certificate = await testCertificate();
  const isElsewhere = options.settings?.["IRONLEASE_DATABASE_URL"] !== undefined;
  const database =
    engine === "postgres" && !isElsewhere ? await createMigratedDatabase() : undefined;
  if (engine === "sqlite") await copySqliteTemplate(join(folder, "ironlease.db"));
  const config = readConfig(options.mode ?? "preview", {
    IRONLEASE_DATA: folder,
    IRONLEASE_LISTEN: "127.0.0.1:0",
    IRONLEASE_OPERATOR_LISTEN: "127.0.0.1:0",
    IRONLEASE_TLS: `${certificate.certificatePath},${certificate.keyPath}`,
    ...(database === undefined ? {} : { IRONLEASE_DATABASE_URL: database.url }),
    // Many concurrent requests on a busy machine exceed the default time limit for an answer.
    IRONLEASE_DATABASE_ANSWER: "2m",
    // Tests send webhooks and renew servers themselves. A pass of the service would come at any moment.
    IRONLEASE_WEBHOOKS_EVERY: "24h",
    IRONLEASE_RENEWALS_EVERY: "24h",
    ...options.settings,
  });
  const clock = movableClock();
  const logged: string[] = [];
  const log = createLog("debug", { write: (line) => logged.push(line) });
  const service = await startService(
    config,
    log,
    { clock, speed: speedUnderTest, passwords: createArgon2(testCost), ...options },
    options,
  );
  const client = httpsClient(service.url, certificate.ca);
  const operatorUrl = service.operatorUrl ?? "";
  const desk = httpsClient(operatorUrl, certificate.ca);
  return {
    url: service.url,
    ca: certificate.ca,
    core: service.core,
    reloadCertificate: service.reloadCertificate,
    clock,
    logged,
    send: client.send,
    register: (username = `user${(usernames += 1)}`) => register(client.send, username),
    operatorUrl,
    sendToDesk: desk.send,
    operator: (role) => signInOperator(service.core, desk.send, role),
    close: async () => {
      client.close();
      desk.close();
      await service.close();
      await database?.drop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function register(send: Send, username: string): Promise<Customer> {
  const answer = await send("POST", "/api/v1/auth/register", { body: { username, password } });
  if (answer.status !== 201) throw new Error(`registration answered ${answer.text}`);
  return customerOf(send, answer, username);
}

/** The signed-in customer, from the answer to a registration or a sign-in. */
export function customerOf(send: Send, answer: Answer, username: string): Customer {
  const { csrfToken, recoveryCode } = answer.json as { csrfToken: string; recoveryCode: string };
  const cookie = cookiesOf(answer).join("; ");
  const sendSignedIn: Send = (method, path, options: RequestOptions = {}) => {
    const own =
      method === "GET" || method === "HEAD" ? { cookie } : { cookie, "x-csrf-token": csrfToken };
    return send(method, path, { ...options, headers: { ...own, ...options.headers } });
  };
  return { username, password, recoveryCode, cookie, csrfToken, send: sendSignedIn };
}

export function cookiesOf(answer: Answer): readonly string[] {
  return (answer.headers["set-cookie"] ?? []).map((line) => line.split(";", 1)[0] ?? "");
}

function movableClock(): MovableClock {
  let now = Date.now();
  return { now: () => now, advance: (ms) => (now += ms) };
}

export interface TestCertificate {
  readonly certificatePath: string;
  readonly keyPath: string;
  readonly ca: string;
}

let certificate: Promise<TestCertificate> | undefined;

/** One certificate for all test files, because loading what generates it takes longer than most tests. */
export function testCertificate(): Promise<TestCertificate> {
  certificate ??= createTestCertificate();
  return certificate;
}

async function createTestCertificate(): Promise<TestCertificate> {
  const { IRONLEASE_TEST_FOLDER: sharedFolder } = process.env;
  const folder = mkdtempSync(join(tmpdir(), "ironlease-test-tls-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  const names = ["localhost", "127.0.0.1"];
  const { certificatePem, keyPem, caPem } = await ensureCertificate({
    folder: sharedFolder === undefined ? folder : join(sharedFolder, "tls"),
    names,
    now: Date.now(),
  });
  const certificatePath = join(folder, "certificate.pem");
  const keyPath = join(folder, "key.pem");
  writeFileSync(certificatePath, certificatePem);
  writeFileSync(keyPath, keyPem, { mode: 0o600 });
  return { certificatePath, keyPath, ca: caPem };
}
