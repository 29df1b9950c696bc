import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startIronlease, type Running } from "./processes.ts";
import { giveMoney, stockUp, withCore } from "./rental.ts";

/** The service with a signed-in customer who has money, in front of a stock that does not run out. */
export interface BenchService extends Running {
  readonly engine: string;
  readonly data: string;
  readonly databaseUrl: string | undefined;
  readonly cookie: string;
  readonly csrfToken: string;
  readonly accountId: string;
}

const username = "bench";

export async function startBenchService(
  engine: string,
  databaseUrl: string | undefined,
  machines: number,
): Promise<BenchService> {
  const data = mkdtempSync(join(tmpdir(), "ironlease-bench-"));
  await withCore(data, databaseUrl, (core) => stockUp(core, machines));
  const service = await startIronlease(databaseUrl, data);
  const registered = await fetch(`http://127.0.0.1:${service.port}/api/v1/auth/register`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ username, password: "a long pass phrase" }),
  });
  const { csrfToken } = (await registered.json()) as { csrfToken: string };
  const cookie = registered.headers
    .getSetCookie()
    .map((line) => line.split(";", 1)[0])
    .join("; ");
  const accountId = await withCore(data, databaseUrl, (core) =>
    giveMoney(core, username, 1_000_000_000),
  );
  return {
    ...service,
    ...{ engine, data, databaseUrl, cookie, csrfToken, accountId },
    stop: async () => {
      await service.stop();
      rmSync(data, { recursive: true, force: true });
    },
  };
}

/** The bytes of a request as that customer sends it. */
export function signedIn(
  requestLine: string,
  port: number,
  cookie: string,
  more: readonly string[] = [],
  body = "",
): string {
  const lines = [requestLine, `host: 127.0.0.1:${port}`, `cookie: ${cookie}`, ...more];
  return `${lines.join("\r\n")}\r\n\r\n${body}`;
}

export function orderRequest({ port, cookie, csrfToken }: BenchService, body: object): string {
  const text = JSON.stringify(body);
  const headers = [
    `x-csrf-token: ${csrfToken}`,
    "content-type: application/json",
    `content-length: ${text.length}`,
    "idempotency-key: bench-%KEY%",
  ];
  return signedIn("POST /api/v1/orders HTTP/1.1", port, cookie, headers, text);
}
