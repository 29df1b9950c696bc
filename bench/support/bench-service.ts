import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { workload } from "./workload.ts";
import { operatorPassword, startIronlease, type Running } from "./processes.ts";
import { giveMoney, stockUp, withCore } from "./rental.ts";

/** A signed-in customer who has money. */
interface BenchCustomer {
  readonly port: number;
  readonly accountId: string;
  /** The session that sends changes. */
  readonly cookie: string;
  readonly csrfToken: string;
  /** All sessions, for reads. */
  readonly cookies: readonly string[];
}

/** The running service with free machines, a signed-in customer who has money, and a signed-in operator. */
export interface BenchService extends Running, BenchCustomer {
  readonly engine: string;
  readonly data: string;
  readonly databaseUrl: string | undefined;
  readonly operatorCookie: string;
  readonly operatorCookies: readonly string[];
}

export async function startBenchService(
  engine: string,
  databaseUrl: string | undefined,
  machines: number,
): Promise<BenchService> {
  const data = mkdtempSync(join(tmpdir(), "ironlease-bench-"));
  await withCore(data, databaseUrl, (core) => stockUp(core, machines));
  const service = await startIronlease(databaseUrl, data);
  const place = { port: service.port, data, databaseUrl };
  const customer = await addCustomer(place, "bench");
  const operators = await openSessions(service.operatorPort, "/operator/v1/auth/login", {
    username: "operator",
    password: operatorPassword,
  });
  return {
    ...service,
    ...customer,
    engine,
    data,
    databaseUrl,
    operatorCookie: operators[0].cookie,
    operatorCookies: operators.map((signIn) => signIn.cookie),
    stop: async () => {
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

export async function addCustomer(
  { port, data, databaseUrl }: Pick<BenchService, "port" | "data" | "databaseUrl">,
  username: string,
): Promise<BenchCustomer> {
  const customer = { username, password: "a long pass phrase" };
  await requestSession(port, "/api/v1/auth/register", customer);
  const signIns = await openSessions(port, "/api/v1/auth/login", customer);
  const accountId = await withCore(data, databaseUrl, (core) =>
    giveMoney(core, username, 1_000_000_000),
  );
  const cookies = signIns.map(({ cookie }) => cookie);
  return { port, accountId, ...signIns[0], cookies };
}

async function openSessions(port: number, path: string, body: object) {
  const first = await requestSession(port, path, body);
  const others: (typeof first)[] = [];
  while (others.length < workload.sessions - 1) others.push(await requestSession(port, path, body));
  return [first, ...others] as const;
}

async function requestSession(port: number, path: string, body: object) {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(await answer.text());
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0]);
  return { cookie: cookies.join("; "), csrfToken };
}

let sent = 0;

/** Returns a function that sends a change as the customer, with a new idempotency key. */
export function sendAs({ port, cookie, csrfToken }: BenchCustomer) {
  return async (path: string, body: object, key = `seed-${Date.now()}-${(sent += 1)}`) => {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
      method: "POST",
      headers: {
        cookie,
        "x-csrf-token": csrfToken,
        "content-type": "application/json",
        "idempotency-key": key,
      },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${await answer.text()}`);
  };
}

/** The same raw request for each session. */
export function inAllSessions(
  requestLine: string,
  port: number,
  cookies: readonly string[],
): readonly string[] {
  return cookies.map((cookie) => requestBytes(requestLine, port, [`cookie: ${cookie}`], ""));
}

export function requestBytes(
  requestLine: string,
  port: number,
  headers: readonly string[],
  body: string,
): string {
  const lines = [requestLine, `host: 127.0.0.1:${port}`, ...headers];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

/** The raw request of a change. The load process replaces `%KEY%` in the idempotency key. */
export function changeRequest(
  { port, cookie, csrfToken }: BenchCustomer,
  path: string,
  body: object,
  method = "POST",
): string {
  const text = JSON.stringify(body);
  const headers = [
    `cookie: ${cookie}`,
    `x-csrf-token: ${csrfToken}`,
    "content-type: application/json",
    `content-length: ${Buffer.byteLength(text)}`,
    "idempotency-key: bench-%KEY%",
  ];
  return requestBytes(`${method} ${path} HTTP/1.1`, port, headers, text);
}
