import { sealText } from "@ironlease/age/seal";
import { limits, serverStates, type CatalogueDocument, type Role } from "@ironlease/contract";
import { freezeAccount } from "#server/features/customers/freeze-account.ts";
import { readCatalogueDocument } from "#server/features/catalogue/read-catalogue-document.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import { addSshKey } from "#server/features/ssh-keys/add-ssh-key.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { OperatorCall } from "#server/kernel/call.ts";
import type { Core } from "#server/kernel/core.ts";
import type { Authenticator, RequestOptions } from "#test/authenticator.ts";
import { operatorCall } from "#test/operators.ts";
import { ddosWorkOf, offer, requestMode } from "#test/quotes.ts";
import { adjust } from "#test/rental-service.ts";
import { testClient } from "#test/bare-core.ts";
import { seedServer } from "#test/rental.ts";
import { newSshKey } from "#test/ssh-keys.ts";
import { valueOf } from "#test/use-cases.ts";
import { claimWork } from "#test/work.ts";
import {
  newAccountActor,
  newOperatorActor,
  newDisposableCustomer,
  type Actor,
  type WorldPassword,
} from "./actors.ts";
import type { SeededRandom } from "./seeded-random.ts";
import { KnownObjects } from "./known-objects.ts";

/** All operators share one owner of ids, because they see the same objects. */
export const operatorsOwner = "operators";
export const ownerOf = (actor: Actor) => (actor.side === "operator" ? operatorsOwner : actor.id);

/** With the demo's machines, more than a run orders. */
const machinesPerOffer = 60;
const fundedCents = 100_000_000_000;
/** The price that customers are offered for DDoS mode ADVANCED. */
export const quotedUsd = 50;
/** Enough to replace actors whose access has ended. */
const disposableCount = 4;

interface FuzzedPasskeys {
  readonly authenticators: Authenticator[];
  readonly offered: RequestOptions[];
}

/** Test data for valid requests: customers and operators of every kind, and servers in every state. */
export class World {
  readonly core: Core;
  readonly known = new KnownObjects();
  readonly catalogue: CatalogueDocument;
  /** Customers with a balance and servers in every state. */
  readonly funded: Actor[] = [];
  readonly unfunded: Actor[] = [];
  readonly frozen: Actor[] = [];
  /** Customers whose accounts operators freeze and whose servers they suspend. */
  readonly operatorTargets: Actor[] = [];
  readonly operators: Actor[] = [];
  /** By listener: authenticators whose passkey was added, and what the service has offered for sign-ins. */
  readonly passkeys: Readonly<Record<Actor["side"], FuzzedPasskeys>> = {
    account: { authenticators: [], offered: [] },
    operator: { authenticators: [], offered: [] },
  };
  /** Paths that redeliver what a customer has listed. */
  readonly deliveries: { readonly owner: string; readonly path: string }[] = [];
  /** Servers with a quote of `quotedUsd` to accept. */
  readonly quotedServers: { readonly owner: string; readonly id: string }[] = [];
  /** Customers for requests that end access. Each is used by one request at a time. */
  readonly disposableCustomers: Actor[] = [];
  readonly disposableOperators: Actor[] = [];
  /** An operator with sessions that no actor uses, so that a request may end them. */
  idleOperator = "";
  /** Accounts that a mutated request froze and that must be unfrozen before other requests. */
  readonly accountsToUnfreeze: { readonly accountId: string }[] = [];

  /** A text that is sealed to the SSH key that all customers have saved. */
  readonly sealed = { ciphertext: "", fingerprint: "" };
  readonly #sshPublicKey = newSshKey().publicKey;
  readonly #password: WorldPassword;

  private constructor(core: Core, catalogue: CatalogueDocument, password: WorldPassword) {
    this.core = core;
    this.catalogue = catalogue;
    this.#password = password;
  }

  /** Fills the database of a service that has just started. */
  static async create(core: Core): Promise<World> {
    const { document } = await readCatalogueDocument(core);
    const password = "a pass phrase to throw away";
    const hash = await valueOf(core.passwords.hash(password));
    const world = new World(core, document, { password, hash });
    await world.#addStock();
    world.sealed.ciphertext = await sealText("a root password", world.#sshPublicKey);
    for (let count = 0; count < 4; count += 1)
      world.funded.push(await world.#customer(fundedCents));
    for (let count = 0; count < 2; count += 1)
      world.operatorTargets.push(await world.#customer(fundedCents));
    world.unfunded.push(await world.#customer(0));
    world.frozen.push(await world.#customer(fundedCents));
    const admin = await operatorCall(core, "admin");
    for (const { id } of world.frozen)
      await valueOf(freezeAccount(core, admin, { accountId: id, reason: "frozen" }));
    for (const role of ["admin", "admin", "finance", "finance", "support"] as const) {
      world.operators.push(await newOperatorActor(core, role, world.#password));
    }
    const idle = await newOperatorActor(core, "support", world.#password);
    world.idleOperator = idle.id;
    for (let count = 1; count < limits.operatorSessions; count += 1) await idle.renew();
    for (const customer of world.funded) await world.#addQuotes(customer, admin);
    for (let count = 0; count < disposableCount; count += 1) {
      world.disposableCustomers.push(await newDisposableCustomer(core, `spare${count}`, password));
      world.disposableOperators.push(await world.newDisposableOperator());
    }
    return world;
  }

  /** Creates an operator for requests that end access or change credentials. */
  newDisposableOperator(): Promise<Actor> {
    return newOperatorActor(this.core, "admin", this.#password);
  }

  /** Picks an operator whose role has at least the rights of the given one. */
  operatorOf(random: SeededRandom, role: Role): Actor | undefined {
    const order: readonly Role[] = ["support", "finance", "admin"];
    const allowed = this.operators.filter(
      (actor) => order.indexOf(actor.role ?? "support") >= order.indexOf(role),
    );
    return random.pick(allowed);
  }

  /** Replaces an ended session, because a valid request needs a current one. */
  async renewSession(actor: Actor): Promise<void> {
    if (!actor.isStale) return;
    actor.isStale = false;
    actor.credentials = await actor.renew();
  }

  async #customer(cents: number): Promise<Actor> {
    const actor = await newAccountActor(this.core, this.#password);
    if (cents > 0) await adjust(this.core, actor.id, cents);
    const key = { name: "laptop", publicKey: this.#sshPublicKey };
    const call = { accountId: actor.id, client: testClient };
    this.sealed.fingerprint = (await valueOf(addSshKey(this.core, call, key))).fingerprint;
    for (const state of [...serverStates, "ACTIVE", "ACTIVE"] as const) {
      // With auto-renewal the server would not stay in grace.
      const server = await seedServer(this.core, actor.id, { state, autoRenew: state !== "GRACE" });
      this.known.collect(actor.id, server);
      this.known.collect(operatorsOwner, [server, { id: server.id, state, accountId: actor.id }]);
    }
    this.known.collect(operatorsOwner, actor.id);
    return actor;
  }

  /** A server with a quote to accept, and one whose quote a holder of its claim can offer. */
  async #addQuotes({ id: accountId }: Actor, admin: OperatorCall): Promise<void> {
    const { core, known } = this;
    const [holder] = this.operators;
    for (const isOffered of [true, false]) {
      const { id, machineId } = await seedServer(core, accountId);
      const about = { workId: "", accountId, subjectId: id, machineId };
      await valueOf(requestMode(core, about, "ADVANCED"));
      const workId = await ddosWorkOf(core, id);
      if (isOffered) {
        await offer(core, admin, workId, quotedUsd);
        this.quotedServers.push({ owner: accountId, id });
      } else if (holder !== undefined) {
        const { id: operatorId, username, role = "support" } = holder;
        const call = { ...admin, operator: { operatorId, username, role } };
        known.collect(operatorsOwner, await valueOf(claimWork(core, call, workId)));
        holder.claims.add(workId);
      }
    }
  }

  async #addStock(): Promise<void> {
    const { core, catalogue } = this;
    const machines = catalogue.configurations.flatMap(({ id: configId, offers }) =>
      offers.flatMap(({ regionId }) =>
        Array.from({ length: machinesPerOffer }, (_, index) => ({
          assetTag: `fuzz-${configId}-${regionId}-${index}`,
          configId,
          regionId,
        })),
      ),
    );
    await valueOf(core.db.write((tx) => addMachines({ tx, core }, machines)));
    for (const [index, { id: regionId }] of catalogue.regions.entries()) {
      const pool = { regionId, cidr: `10.${index}.0.0/16` };
      await valueOf(core.db.write((tx) => addSubnet({ tx, core }, pool)));
    }
  }
}
