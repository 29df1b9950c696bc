import { measure, median, startBare, startIronlease } from "./support/processes.ts";

const rounds = 5;
const seconds = 2;

/** Each read as a share of what bare `node:http` does with the same bytes, taken in turns. */
export async function benchReads(engine: string, databaseUrl?: string): Promise<void> {
  const service = await startIronlease(databaseUrl);
  try {
    const base = `http://127.0.0.1:${service.port}`;
    const registered = await fetch(`${base}/api/v1/auth/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ username: `bench${Date.now()}`, password: "a long pass phrase" }),
    });
    const cookie = registered.headers
      .getSetCookie()
      .map((line) => line.split(";", 1)[0])
      .join("; ");
    for (const path of ["/api/v1/me", "/api/v1/sessions"]) {
      await benchRead(engine, service.port, path, cookie);
    }
  } finally {
    await service.stop();
  }
}

async function benchRead(
  engine: string,
  port: number,
  path: string,
  cookie: string,
): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie } });
  const body = await answer.text();
  const headers = Object.fromEntries(
    [...answer.headers].filter(([name]) => !["date", "connection", "keep-alive"].includes(name)),
  );
  const bare = await startBare(headers, body);
  const request = (to: number) =>
    `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1:${to}\r\ncookie: ${cookie}\r\n\r\n`;
  const ratios: number[] = [];
  const p99s: number[] = [];
  try {
    await measure(bare.port, request(bare.port), 1);
    await measure(port, request(port), 1);
    for (let round = 0; round < rounds; round += 1) {
      const minimum = await measure(bare.port, request(bare.port), seconds);
      const ours = await measure(port, request(port), seconds);
      ratios.push(ours.perSecond / minimum.perSecond);
      p99s.push(ours.p99 / ours.p50);
    }
  } finally {
    await bare.stop();
  }
  console.log(
    `${engine} GET ${path}: ${median(ratios).toFixed(2)} of bare node:http (p99 ${median(p99s).toFixed(1)} × p50)`,
  );
}
if (process.argv[1] === new URL(import.meta.url).pathname) await benchReads("sqlite");
