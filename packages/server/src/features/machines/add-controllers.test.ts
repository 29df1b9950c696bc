import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createTestCore, type TestCore } from "#test/core.ts";
import { forEachEngine } from "#test/engines.ts";
import { withHardware } from "#test/hardware.ts";
import { operatorCall } from "#test/operators.ts";
import { stockUp } from "#test/rental-service.ts";
import { codeOf, fieldsOf, valueOf } from "#test/use-cases.ts";
import type { OperatorCall } from "#kernel/call.ts";
import { controllerContext, findController } from "#kernel/controllers.ts";
import type { Core } from "#kernel/core.ts";
import { addMachine, addMachines, type MachineInput } from "./add-machines.ts";
import { listMachines } from "./list-machines.ts";

const secret = "correct-horse";
const ipmi = {
  driver: "ipmi",
  address: "127.0.0.1:623",
  username: "u",
  credential: secret,
} as const;
const redfish = {
  driver: "redfish",
  address: "https://127.0.0.1:443",
  username: "u",
  credential: secret,
  certificateSha256: Array(32).fill("AB").join(":"),
} as const;

const shown = ({ address }: { readonly address: string }) => ({
  driver: address === ipmi.address ? "ipmi" : "redfish",
  address,
  username: "u",
  certificateSha256: address === ipmi.address ? null : "ab".repeat(32),
});

let tags = 0;
const machine = (change: Partial<MachineInput> = {}): MachineInput => ({
  assetTag: `controlled-${(tags += 1)}`,
  configId: "metal-s",
  regionId: "fra",
  ...change,
});

forEachEngine((engine) => {
  describe("adding machines with controllers", () => {
    let testCore: TestCore;
    let core: Core;
    let admin: OperatorCall;
    before(async () => {
      testCore = await createTestCore(engine);
      core = withHardware(testCore.core);
      await stockUp(core);
      admin = await operatorCall(core, "admin");
    });
    after(() => testCore.dispose());

    const count = async (table: "machines" | "controllers" | "audit") => {
      const rows = core.db.read.selectFrom(table).select((of) => of.fn.countAll().as("rows"));
      return Number((await rows.executeTakeFirstOrThrow()).rows);
    };
    const counts = () => Promise.all([count("machines"), count("controllers"), count("audit")]);
    const audited = async (subject: string) => {
      const rows = await core.db.read
        .selectFrom("audit")
        .select(["action", "detail"])
        .where("subject", "=", subject)
        .orderBy("id")
        .execute();
      return rows.map(({ action, detail }) => [action, JSON.parse(detail) as unknown] as const);
    };

    test("each credential opens for its machine only, and the records show the rest", async () => {
      // More than one insert takes at once.
      const many = Array.from({ length: 101 }, () => machine({ controller: ipmi }));
      const added = await valueOf(
        addMachines(core, admin, [machine(), machine({ controller: redfish }), ...many]),
      );
      const [bare, pinned, other] = added;
      assert.deepEqual(
        [bare?.controller, pinned?.controller, other?.controller],
        [null, shown(redfish), shown(ipmi)],
      );
      assert.deepEqual((await listMachines(core, { query: pinned!.id }))[0], pinned);
      for (const { id, controller } of added.slice(1)) {
        const stored = await findController(core.db.read, id);
        assert.equal(stored?.address, controller?.address);
        assert.equal(await core.sealing.open(stored!.credential, controllerContext(id)), secret);
      }
      const stored = await findController(core.db.read, pinned!.id);
      await assert.rejects(core.sealing.open(stored!.credential, controllerContext(other!.id)));
      assert.deepEqual(await audited("machines"), [
        [
          "machine.import",
          { count: 103, controllers: 102, firstId: bare?.id, lastId: added.at(-1)?.id },
        ],
      ]);
    });

    test("a single machine's audit has an entry for the controller, without the credential", async () => {
      const { id, controller } = await valueOf(
        addMachine(core, admin, machine({ controller: redfish })),
      );
      assert.deepEqual(controller, shown(redfish));
      const [added, set] = await audited(id);
      assert.equal(added?.[0], "machine.add");
      assert.deepEqual(set, ["machine.set_controller", shown(redfish)]);
      assert.ok(!JSON.stringify(await audited(id)).includes(secret));
    });

    test("only an admin can add controllers, and others add nothing", async () => {
      const before = await counts();
      for (const role of ["support", "finance"] as const) {
        const call = await operatorCall(core, role);
        const body = [machine(), machine({ controller: ipmi })];
        assert.equal(await codeOf(addMachines(core, call, body)), "role_forbidden");
      }
      assert.deepEqual(await counts(), before);
      const support = await operatorCall(core, "support");
      await valueOf(addMachines(core, support, [machine(), machine()]));
    });

    test("faults name the machine and the field as for one controller, and nothing is added", async () => {
      const before = await counts();
      const outside = { ...redfish, address: "https://192.0.2.7:443" };
      const faulty = [
        machine({ controller: ipmi }),
        machine({ controller: outside, configId: "none" }),
        machine({ controller: { ...redfish, username: "a:b" } }),
        machine({ controller: { ...ipmi, certificateSha256: "ab".repeat(32) } }),
        machine({ controller: { ...ipmi, credential: "x".repeat(21) } }),
      ];
      assert.deepEqual(await fieldsOf(addMachines(core, admin, faulty)), [
        { field: "machines.1.configId", message: "is not in the catalogue" },
        {
          field: "machines.1.controller.address",
          message: "must be on a network in IRONLEASE_HARDWARE_NETWORKS",
        },
        { field: "machines.2.controller.username", message: "cannot contain a colon" },
        {
          field: "machines.3.controller.certificateSha256",
          message: "must be omitted: it applies to redfish only",
        },
        {
          field: "machines.4.controller.credential",
          message: "must be at most 20 bytes with ipmi",
        },
      ]);
      const alone = await fieldsOf(addMachine(core, admin, machine({ controller: outside })));
      assert.deepEqual(
        alone?.map(({ field }) => field),
        ["controller.address"],
      );
      const noNetworks = addMachine(testCore.core, admin, machine({ controller: ipmi }));
      assert.match((await fieldsOf(noNetworks))?.[0]?.message ?? "", /is not set/);

      const taken = machine({ assetTag: "metal-s-fra-3", controller: ipmi });
      const among = addMachines(core, admin, [machine({ controller: ipmi }), taken]);
      assert.equal(await codeOf(among), "conflict");
      assert.deepEqual(await counts(), before);
    });
  });
});
