import { serverStates, type CatalogueDocument, type Role } from "@ironlease/contract";
import { freezeAccount } from "#server/features/customers/freeze-account.ts";
import { readCatalogueDocument } from "#server/features/catalogue/read-catalogue-document.ts";
import { addMachines } from "#server/kernel/machine-intake.ts";
import { addSubnet } from "#server/kernel/subnets.ts";
import type { Core } from "#server/kernel/core.ts";
import { operatorCall } from "#test/operators.ts";
import { adjust } from "#test/rental-service.ts";
import { seedServer } from "#test/rental.ts";
import { valueOf } from "#test/use-cases.ts";
import {
  newAccountActor,
  newOperatorActor,
  newThrowaway,
  type Actor,
  type WorldPassword,
} from "./actors.ts";
import type { Dice } from "./dice.ts";
import { Known } from "./known.ts";

/** The desk is one owner of ids: whoever works there sees the same. */
export const deskOwner = "desk";
export const ownerOf = (actor: Actor) => (actor.side === "operator" ? deskOwner : actor.id);

/** More than a run orders, besides those that the demo brings along. */
const machinesPerOffer = 60;
const richCents = 100_000_000_000;
/** Enough to take the place of those whose access ends. */
const spares = 4;

/** Something of everything, and somebody of every kind: what valid requests are about. */
export class World {
  readonly core: Core;
  readonly known = new Known();
  readonly catalogue: CatalogueDocument;
  /** They have money, and servers in every state. */
  readonly rich: Actor[] = [];
  readonly poor: Actor[] = [];
  readonly frozen: Actor[] = [];
  /** Theirs are the accounts that are frozen, and the servers that are suspended. */
  readonly victims: Actor[] = [];
  readonly desk: Actor[] = [];
  /** Each in the hands of one request at a time. */
  readonly throwaways: Actor[] = [];
  readonly deskThrowaways: Actor[] = [];
  /** What must be done before anything else, so that the rest keeps its meaning. */
  readonly repairs: { readonly accountId: string }[] = [];

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
    await world.#stockUp();
    for (let count = 0; count < 4; count += 1) world.rich.push(await world.#customer(richCents));
    for (let count = 0; count < 2; count += 1) world.victims.push(await world.#customer(richCents));
    world.poor.push(await world.#customer(0));
    world.frozen.push(await world.#customer(richCents));
    const admin = await operatorCall(core, "admin");
    for (const { id } of world.frozen)
      await valueOf(freezeAccount(core, admin, { accountId: id, reason: "frozen" }));
    for (const role of ["admin", "admin", "finance", "finance", "support"] as const) {
      world.desk.push(await newOperatorActor(core, role, world.#password));
    }
    for (let count = 0; count < spares; count += 1) {
      world.throwaways.push(await newThrowaway(core, `spare${count}`, password));
      world.deskThrowaways.push(await world.newDeskThrowaway());
    }
    return world;
  }

  /** For what ends access to the desk, or changes what it takes to get in. */
  newDeskThrowaway(): Promise<Actor> {
    return newOperatorActor(this.core, "admin", this.#password);
  }

  operatorOf(dice: Dice, role: Role): Actor | undefined {
    const order: readonly Role[] = ["support", "finance", "admin"];
    const enough = this.desk.filter(
      (actor) => order.indexOf(actor.role ?? "support") >= order.indexOf(role),
    );
    return dice.pick(enough);
  }

  /** A session that has ended is no use to a request that is to be right. */
  async freshen(actor: Actor): Promise<void> {
    if (!actor.isStale) return;
    actor.isStale = false;
    actor.credentials = await actor.renew();
  }

  async #customer(cents: number): Promise<Actor> {
    const actor = await newAccountActor(this.core, this.#password);
    if (cents > 0) await adjust(this.core, actor.id, cents);
    for (const state of [...serverStates, "ACTIVE", "ACTIVE"] as const) {
      // One that renews itself would not stay in grace.
      const server = await seedServer(this.core, actor.id, { state, autoRenew: state !== "GRACE" });
      this.known.learn(actor.id, server);
      this.known.learn(deskOwner, [server, { id: server.id, state, accountId: actor.id }]);
    }
    this.known.learn(deskOwner, actor.id);
    return actor;
  }

  async #stockUp(): Promise<void> {
    const { core, catalogue } = this;
    const machines = catalogue.configurations.flatMap(({ id: configId, offers }) =>
      offers.flatMap(({ regionId }) =>
        Array.from({ length: machinesPerOffer }, (_, index) => ({
          assetTag: `fuzz-${configId}-${regionId}-${index}`,
          ...{ configId, regionId },
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
