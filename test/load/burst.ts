import { Agent, request } from "node:https";
import { openConnections } from "./open-connections.ts";
import { until } from "./poll.ts";
import type { TestBed } from "./test-bed.ts";

/** Opens all connections at once, with one request each. All get an answer, and none stays open. */
export async function burst(
  { daemon, ca, workload }: TestBed,
  { connections, log }: { readonly connections: number; readonly log: (line: string) => void },
): Promise<readonly string[]> {
  const before = openConnections(daemon.url).size;
  const agent = new Agent({ keepAlive: false, ca, maxSockets: Infinity, maxCachedSessions: 0 });
  const requests = Array.from({ length: connections }, () =>
    requestOnce(new URL("/api/v1/me", daemon.url), agent, workload.customer().cookie),
  );
  const outcomes = await Promise.all(requests);
  agent.destroy();
  log(`${connections} connections at once, all finished`);
  const others = outcomes.filter((outcome) => outcome !== "200");
  const after = await daemon.send("GET", "/api/health");
  // The health check keeps its own connection open.
  const areClosed = () => openConnections(daemon.url).size <= before + 1;
  await until("the burst's connections are closed", areClosed);
  return [
    ...new Set(others.map((outcome) => `burst: ${outcome}`)),
    ...(after.status === 200 ? [] : [`after the burst: ${after.status}`]),
  ];
}

/** Returns the status or the error message. */
function requestOnce(url: URL, agent: Agent, cookie: string): Promise<string> {
  return new Promise((resolve) => {
    const sent = request(url, { agent, headers: { cookie } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", (error) => resolve(error.message));
    });
    sent.on("error", (error) => resolve(error.message));
    sent.end();
  });
}
