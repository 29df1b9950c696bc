import { Agent, request } from "node:https";
import { heldConnections } from "./held-connections.ts";
import { until } from "./poll.ts";
import type { Place } from "./place.ts";

/** So many connections in one moment, each with a request: all are answered, and all are gone after. */
export async function burst(
  { daemon, ca, market }: Place,
  { connections, say }: { readonly connections: number; readonly say: (line: string) => void },
): Promise<readonly string[]> {
  const before = heldConnections(daemon.url).size;
  const agent = new Agent({ keepAlive: false, ca, maxSockets: Infinity, maxCachedSessions: 0 });
  const asked = Array.from({ length: connections }, () =>
    ask(new URL("/api/v1/me", daemon.url), agent, market.customer().cookie),
  );
  const outcomes = await Promise.all(asked);
  agent.destroy();
  say(`${connections} connections at once, all ended`);
  const others = outcomes.filter((outcome) => outcome !== "200");
  const after = await daemon.send("GET", "/api/health");
  // The one that asks keeps a connection.
  const areGone = () => heldConnections(daemon.url).size <= before + 1;
  await until("the connections of the burst are gone", areGone);
  return [
    ...new Set(others.map((outcome) => `burst: ${outcome}`)),
    ...(after.status === 200 ? [] : [`after the burst: ${after.status}`]),
  ];
}

/** The status, or what went wrong. */
function ask(url: URL, agent: Agent, cookie: string): Promise<string> {
  return new Promise((resolve) => {
    const asking = request(url, { agent, headers: { cookie } }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(String(answer.statusCode)));
      answer.on("error", (error) => resolve(error.message));
    });
    asking.on("error", (error) => resolve(error.message));
    asking.end();
  });
}
