import { mkdtemp, realpath, writeFile } from "node:fs/promises";
import { request } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { issueAuthority, issueLeaf } from "#server/adapters/system/issue-certificate.ts";
import { readyComponent } from "./components.ts";
import { findFreePort } from "./free-port.ts";
import { answerOf } from "./https-client.ts";
import { superviseProcess, type SupervisedProcess } from "./supervised-process.ts";

/** Let's Encrypt's test authority on loopback, and a DNS server that sends every name to this machine. */
export interface Pebble {
  readonly directoryUrl: string;
  /** The port at which it asks for HTTP challenges. */
  readonly httpPort: number;
  /** The certificate of Pebble's own listener, and its authority. */
  readonly tls: { readonly key: string; readonly cert: string; readonly ca: string };
  /** The root of the certificates that it issues. It changes with each start. */
  root(): Promise<string>;
  stop(): Promise<void>;
}

const readinessChecks = 400;
const dayMs = 86_400_000;

/** This process trusts the authority from then on. */
export async function startPebble(): Promise<Pebble> {
  const { programs, environment } = await readyComponent("pebble");
  const authority = await issueAuthority(Date.now());
  const leaf = await issueLeaf(authority, ["localhost", "127.0.0.1"], Date.now(), 30 * dayMs);
  const tls = {
    ca: authority.certificate.toString(),
    cert: leaf.certificate.toString(),
    key: leaf.keyPem,
  };
  const port = await findFreePort();
  const managementPort = await findFreePort();
  const httpPort = await findFreePort();
  const tlsPort = await findFreePort();
  const dnsPort = await findFreePort();
  const dnsManagementPort = await findFreePort();
  const dns = superviseProcess({
    folder: await newFolder(),
    environment,
    program: programs["pebble-challtestsrv"] ?? "",
    arguments: [
      ...["-dns01", `127.0.0.1:${dnsPort}`, "-management", `127.0.0.1:${dnsManagementPort}`],
      ...["-http01", "", "-https01", "", "-tlsalpn01", "", "-defaultIPv6", ""],
    ],
  });
  const folder = await newFolder();
  await writeFile(join(folder, "cert.pem"), tls.cert);
  await writeFile(join(folder, "key.pem"), tls.key);
  await writeFile(
    join(folder, "pebble.json"),
    JSON.stringify({
      pebble: {
        listenAddress: `127.0.0.1:${port}`,
        managementListenAddress: `127.0.0.1:${managementPort}`,
        certificate: join(folder, "cert.pem"),
        privateKey: join(folder, "key.pem"),
        httpPort,
        tlsPort,
        certificateValidityPeriod: (90 * dayMs) / 1000,
      },
    }),
  );
  const pebble = superviseProcess({
    folder,
    // It rejects some nonces, as real authorities do, and asks at once.
    environment: { ...environment, PEBBLE_VA_NOSLEEP: "1", PEBBLE_WFE_NONCEREJECT: "20" },
    program: programs["pebble"] ?? "",
    arguments: ["-config", join(folder, "pebble.json"), "-dnsserver", `127.0.0.1:${dnsPort}`],
  });
  const root = () => get(`https://127.0.0.1:${managementPort}/roots/0`, tls.ca);
  await untilReady([pebble, dns], root);
  setDefaultCACertificates([...getCACertificates("default"), tls.ca]);
  for (const daemon of [pebble, dns]) daemon.unref();
  return {
    directoryUrl: `https://127.0.0.1:${port}/dir`,
    httpPort,
    tls,
    root,
    stop: async () => {
      await pebble.remove();
      await dns.remove();
    },
  };
}

async function untilReady(
  daemons: readonly SupervisedProcess[],
  ask: () => Promise<string>,
): Promise<void> {
  for (let check = 0; ; check += 1) {
    try {
      await ask();
      return;
    } catch (error) {
      if (check === readinessChecks || !daemons.every((daemon) => daemon.isRunning())) {
        const output = await Promise.all(daemons.map((daemon) => daemon.remove()));
        throw new Error(`Pebble did not start:\n${output.join("\n")}`, { cause: error });
      }
    }
    await delay(25);
  }
}

function get(url: string, ca: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request(url, { ca }, (response) => {
      answerOf(response).then(({ text }) => resolve(text), reject);
    })
      .once("error", reject)
      .end();
  });
}

async function newFolder(): Promise<string> {
  return realpath(await mkdtemp(join(tmpdir(), "ironlease-pebble-")));
}
