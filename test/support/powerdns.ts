import { mkdtemp, realpath, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as delay } from "node:timers/promises";
import { globSync } from "node:fs";
import { readyComponent } from "./components.ts";
import { findFreePort } from "./free-port.ts";
import { superviseProcess, type SupervisedProcess } from "./supervised-process.ts";

/** A PowerDNS Authoritative Server on loopback, in a scratch folder. */
export interface PowerDns {
  readonly apiUrl: string;
  readonly apiKeyFile: string;
  /** `address:port` of the name server. */
  readonly nameServer: string;
  /** Calls the HTTP API below the server's own path. Throws if it refuses. */
  api(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Adds a zone as an operator would. */
  addZone(zone: string): Promise<void>;
  /** Sets a record by hand. */
  setRecord(zone: string, name: string, type: string, content: string): Promise<void>;
  stop(): Promise<void>;
}

const apiKey = "test-api-key";
const readinessChecks = 400;

export async function startPowerDns(): Promise<PowerDns> {
  const [dnsPort, apiPort] = [await findFreePort(), await findFreePort()];
  const folder = await realpath(await mkdtemp(join(tmpdir(), "ironlease-powerdns-")));
  const { programs, environment, root } = await readyComponent("powerdns");
  await createDatabase(join(folder, "pdns.db"), root);
  const [module = ""] = globSync("usr/lib/*/pdns/libgsqlite3backend.so", { cwd: root });
  const apiKeyFile = join(folder, "api-key");
  await writeFile(apiKeyFile, `${apiKey}\n`, { mode: 0o600 });
  await writeFile(
    join(folder, "pdns.conf"),
    [
      `module-dir=${dirname(join(root, module))}`,
      "launch=gsqlite3",
      `gsqlite3-database=${join(folder, "pdns.db")}`,
      ...["local-address=127.0.0.1", `local-port=${dnsPort}`, "api=yes", `api-key=${apiKey}`],
      ...["webserver=yes", "webserver-address=127.0.0.1", `webserver-port=${apiPort}`],
      ...["webserver-allow-from=127.0.0.1", `socket-dir=${folder}`, "security-poll-suffix="],
      ...["guardian=no", "daemon=no", "distributor-threads=1"],
    ].join("\n"),
  );
  const apiUrl = `http://127.0.0.1:${apiPort}`;
  const api = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(`${apiUrl}/api/v1/servers/localhost${path}`, {
      method,
      headers: { "x-api-key": apiKey },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === "" ? undefined : (JSON.parse(text) as unknown);
  };
  const daemon = superviseProcess({
    folder,
    environment,
    program: programs["pdns_server"] ?? "",
    arguments: [`--config-dir=${folder}`],
  });
  const problem = await waitUntilReady(daemon, () => api("GET", ""));
  if (problem !== undefined) {
    const output = await daemon.remove();
    throw new Error(`pdns_server did not start:\n${output}`, { cause: problem });
  }
  daemon.unref();
  return {
    apiUrl,
    apiKeyFile,
    nameServer: `127.0.0.1:${dnsPort}`,
    api,
    addZone: async (zone) => {
      const nameservers = ["ns1.example."];
      await api("POST", "/zones", { name: `${zone}.`, kind: "Native", nameservers });
    },
    setRecord: async (zone, name, type, content) => {
      const records = [{ content, disabled: false }];
      const rrset = { name: `${name}.`, type, changetype: "REPLACE", ttl: 60, records };
      await api("PATCH", `/zones/${zone}.`, { rrsets: [rrset] });
    },
    stop: async () => {
      await daemon.remove();
    },
  };
}

async function createDatabase(file: string, root: string): Promise<void> {
  const schema = "usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql";
  const db = new DatabaseSync(file);
  db.exec(await readFile(join(root, schema), "utf8"));
  db.close();
}

/** Resolves to the last problem if the server ends or does not answer, else to undefined. */
async function waitUntilReady(
  daemon: SupervisedProcess,
  ask: () => Promise<unknown>,
): Promise<unknown> {
  let problem: unknown = "it ended at once";
  for (let check = 0; check < readinessChecks && daemon.isRunning(); check += 1) {
    try {
      await ask();
      return undefined;
    } catch (error) {
      problem = error;
    }
    await delay(25);
  }
  return problem;
}
