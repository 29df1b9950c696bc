import { Resolver } from "node:dns/promises";
import { createPowerDns } from "#server/adapters/dns-powerdns/powerdns.ts";
import { createSignal } from "#server/kernel/concurrency/signal.ts";
import type { Core } from "#server/kernel/core.ts";
import { ok } from "#server/kernel/result.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import { setPtr } from "#server/kernel/addresses.ts";
import { listAssignments } from "#server/features/network/list-assignments.ts";
import { readReverseDns } from "#server/features/reverse-dns/read-reverse-dns.ts";
import { runReverseDns } from "#server/features/reverse-dns/run-pass.ts";
import type { Dns } from "#server/ports/dns.ts";
import { register } from "#test/core.ts";
import type { PowerDns } from "#test/powerdns.ts";
import { seedServer } from "#test/rental.ts";

/** A customer with servers in a region of its own, whose subnets no other test uses. */
export interface Bed {
  readonly core: Core;
  readonly accountId: string;
  /** The third label of the IPv4 network, 10.N.0.0/24, and of the IPv6 network, fd00:N::/48. */
  readonly net: number;
  readonly zone: string;
  server(addressSets?: number): ReturnType<typeof seedServer>;
  /** Stores a setting without the checks of the API. */
  set(assignmentId: string, ptr: string): Promise<void>;
  pass(dns?: Dns): ReturnType<typeof runReverseDns>;
  listed(assignmentId: string): Promise<{ ptr: string; answered: string | null }>;
  rowOf(address: string): Promise<{ state: string; error: string | null; published: string }>;
  state(): ReturnType<typeof readReverseDns>;
}

let nets = 0;

export function connect(powerDns: PowerDns, changes: Partial<Dns> = {}): Dns {
  const { apiUrl, apiKeyFile, nameServer } = powerDns;
  const options = { apiUrl, apiKeyFile, serverId: "localhost", nameServers: [nameServer] };
  const zones = { createZones: true, zoneNameServers: ["ns1.example", "ns2.example."] };
  return { ...createPowerDns({ ...options, ...zones }), ...changes };
}

export interface BedOptions {
  readonly bits?: number;
  readonly reverseZone?: (net: number) => string;
}

export async function createBed(
  over: Core,
  dns: Dns,
  { bits = 24, reverseZone }: BedOptions = {},
): Promise<Bed> {
  const core: Core = { ...over, reverseDns: { dns, changes: createSignal() } };
  const { accountId } = await register(core);
  nets += 1;
  const net = nets;
  const regionId = `r${net}`;
  await core.db.write(async (tx) => {
    const zone = reverseZone === undefined ? {} : { reverseZone: reverseZone(net) };
    await addSubnet({ tx, core }, { regionId, cidr: `10.${net}.0.0/${bits}`, ...zone });
    await addSubnet({ tx, core }, { regionId, cidr: `fd00:0:${net.toString(16)}::/48` });
    return ok();
  });
  return {
    core,
    accountId,
    net,
    zone: `0.${net}.10.in-addr.arpa`,
    server: (addressSets = 1) => seedServer(core, accountId, { regionId, addressSets }),
    set: async (assignmentId, ptr) => {
      await core.db.write(async (tx) => {
        await setPtr({ tx, core }, { accountId, assignmentId }, ptr);
        return ok();
      });
    },
    pass: (other = dns) => runReverseDns(core, other, { holder: "test" }),
    listed: async (assignmentId) => {
      const listed = await listAssignments(core, accountId);
      const found = listed.find(({ id }) => id === assignmentId);
      if (found === undefined) throw new Error(`${assignmentId} is not listed`);
      return { ptr: found.ptr, answered: found.answered };
    },
    rowOf: (address) =>
      core.db.read
        .selectFrom("published_ptrs")
        .select(["state", "error", "published"])
        .where("address", "=", address)
        .executeTakeFirstOrThrow()
        .then((row) => ({ ...row })),
    state: () => readReverseDns(core),
  };
}

/** What the world gets: the answers, or the error code. */
export async function resolvePtr(powerDns: PowerDns, name: string): Promise<string> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2 });
  resolver.setServers([powerDns.nameServer]);
  return resolver.resolvePtr(name).then(
    (names) => names.join(" "),
    (error: unknown) => (error as NodeJS.ErrnoException).code ?? "failed",
  );
}
