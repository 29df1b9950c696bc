import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { operatorCall } from "#test/operators.ts";
import { startLossyProxy } from "#test/lossy-proxy.ts";
import { promptText } from "#test/prompt-text.ts";
import { seedServer } from "#test/rental.ts";
import { newSshKey } from "#test/ssh-keys.ts";
import { claimWork, completeWork } from "#test/work.ts";
import { valueOf } from "#test/use-cases.ts";

const offer = ["--config", "metal-s", "--region", "fra", "--os", "debian-13", "--term", "weekly"];
const order = ["order", "create", ...offer, "--yes"];

describe("ordering from the command line", () => {
  let harness: CliHarness;
  before(async () => void (harness = await openCliHarness()));
  after(() => harness.close());

  async function funded(): Promise<Customer> {
    const customer = await harness.newCustomer();
    await customer.fund("0.02");
    return customer;
  }

  async function deliver(serverId: string): Promise<void> {
    const { core } = harness;
    const work = core.db.read.selectFrom("work").select("id").where("server_id", "=", serverId);
    const { id } = await work.where("kind", "=", "PROVISION").executeTakeFirstOrThrow();
    const call = await operatorCall(core, "admin");
    await valueOf(claimWork(core, call, id));
    await valueOf(completeWork(core, call, id, { hostname: "web1.example.com" }));
  }

  async function serverOf(customer: Customer): Promise<string> {
    const { servers } = await customer.json(["server", "list"]);
    assert.equal(servers.length, 1);
    return servers[0].id;
  }

  test("on a terminal order create asks for everything, shows the price and orders", async () => {
    const customer = await funded();
    const key = newSshKey();
    await customer.json([
      "api",
      "POST",
      "/api/v1/ssh-keys",
      "--data",
      JSON.stringify({ name: "laptop", publicKey: key.publicKey }),
    ]);
    const { code, stdout, stderr } = await customer.run(["order", "create"], {
      env: { NO_COLOR: "1" },
      answers: [
        [/Region:/, "\r"],
        [/Configuration:/, "\r"],
        [/Operating system:/, "\r"],
        [/Term:/, "\u001b[B\r"],
        [/SSH key:/, "\r"],
        [/Order 1 server \(.*weekly\) for \d+\.\d\d USD now\?/, "y\r"],
      ],
    });
    assert.equal(code, 0, stderr);
    assert.match(promptText(stderr), /metal-s .* GB, .*, \d+\.\d\d USD monthly/);
    assert.doesNotMatch(stderr, /Warning/);
    const { orders } = await customer.json(["order", "list"]);
    assert.equal(orders.length, 1);
    assert.equal(orders[0].term, "weekly");
    assert.match(stdout, /To see when the server is ACTIVE: ironlease server wait srv_/);
  });

  test("without a terminal it names every option that is missing, and orders nothing", async () => {
    const customer = await funded();
    const { code, stderr } = await customer.run(["order", "create", "--region", "fra", "--yes"]);
    assert.equal(code, 2);
    assert.match(stderr, /--config, --os, --term are required without a terminal/);
    assert.deepEqual((await customer.json(["order", "list"])).orders, []);
  });

  test("nothing can be chosen in a region that has nothing available", async () => {
    const customer = await funded();
    for (const [option, sentence] of [
      [["--region", "atlantis"], /No configuration is available in atlantis now\./],
      [["--config", "abacus"], /No region has abacus available now\./],
    ] as const) {
      const argv = ["order", "create", ...option];
      const { code, stderr } = await customer.run(argv, { answers: [] });
      assert.equal(code, 2);
      assert.match(stderr, sentence);
    }
  });

  test("an order without an SSH key is warned about, and one with a key is not", async () => {
    const customer = await funded();
    const bare = await customer.run(order);
    assert.equal(bare.code, 0, bare.stderr);
    assert.match(bare.stderr, /Warning: the order has no SSH key/);
    const quiet = await customer.run([...order, "--quiet"]);
    assert.match(quiet.stdout, /^ord_\w+\n$/);
    assert.equal(quiet.stderr, "");
  });

  test("order create --wait prints the order, then the progress, and ends with the delivery", async () => {
    const customer = await funded();
    let waits = 0;
    const { code, stdout, stderr } = await customer.run([...order, "--wait"], {
      wait: async () => {
        waits += 1;
        await deliver(await serverOf(customer));
      },
    });
    assert.equal(code, 0, stderr);
    assert.equal(waits, 1);
    assert.match(stdout, /^Order +ord_/);
    assert.match(stderr, /^srv_\w+ {2}PROVISIONING$/m);
    assert.match(stderr, /^srv_\w+ {2}ACTIVE {2}\S+/m);
  });

  test("order create --wait exits 15 when the time is up, and the order stands", async () => {
    const customer = await funded();
    const argv = [...order, "--wait", "--for", "7", "--json"];
    let waitedMs = 0;
    const { code, stdout, stderr } = await customer.run(argv, {
      wait: async (ms) => void (waitedMs += ms),
    });
    assert.equal(code, 15, stderr);
    assert.equal(waitedMs, 7_000);
    assert.deepEqual(JSON.parse(stdout).serverIds, [await serverOf(customer)]);
    assert.equal(JSON.parse(stderr).error.code, "not_yet");
  });

  test("server wait exits 17 when the server is cancelled meanwhile", async () => {
    const customer = await funded();
    await customer.json(order);
    const id = await serverOf(customer);
    const { code, stderr } = await customer.run(["server", "wait", id], {
      wait: async () => void (await customer.json(["server", "cancel", id, "--yes"])),
    });
    assert.equal(code, 17, stderr);
    assert.match(stderr, /was cancelled or terminated/);
    const again = await customer.run(["server", "wait", id]);
    assert.ok([6, 17].includes(again.code), again.stderr);
  });

  test("server wait goes on through an outage", async () => {
    const customer = await funded();
    await customer.json(order);
    const id = await serverOf(customer);
    const { key } = await customer.json(["key", "create", "waiting", "--scope", "read"]);
    const proxy = await startLossyProxy(harness.daemon.url, harness.ca);
    const argv = ["server", "wait", id, "--url", proxy.url, "--timeout", "1"];
    let waits = 0;
    const { code, stderr } = await customer.run(argv, {
      env: { IRONLEASE_API_KEY: key },
      wait: async () => {
        waits += 1;
        proxy.isDown = waits === 1;
        if (waits === 2) await deliver(id);
      },
    });
    await proxy.close();
    assert.equal(code, 0, stderr);
    assert.equal(waits, 2);
    assert.match(stderr, /does not respond\. Still waiting/);
    assert.match(stderr, /^srv_\w+ {2}ACTIVE {2}/m);
  });

  test("server wait returns at once for an ACTIVE server, and refuses bad times", async () => {
    const customer = await funded();
    const { id } = await seedServer(harness.core, await customer.accountId());
    const done = await customer.run(["server", "wait", id, "--json"]);
    assert.equal(JSON.parse(done.stdout).state, "ACTIVE");
    for (const time of ["soon", "-1", "1.5"]) {
      assert.equal((await customer.run(["server", "wait", id, "--for", time])).code, 2);
    }
    assert.equal((await customer.run([...order, "--for", "5"])).code, 2);
    const late = await customer.run(["server", "wait", id, "--state", "GRACE", "--for", "0"]);
    assert.equal(late.code, 15);
    assert.match(late.stderr, new RegExp(`ironlease server wait ${id} --state GRACE\n`));
  });

  test("a host name without its domain is not found, and the right one is suggested", async () => {
    const customer = await funded();
    const { id } = await seedServer(harness.core, await customer.accountId());
    const { hostname } = await customer.json(["server", "show", id]);
    const short = hostname.split(".")[0];
    const { code, stderr } = await customer.run(["server", "show", short]);
    assert.equal(code, 6);
    assert.ok(stderr.includes(`Did you mean ${hostname}?`), stderr);
  });

  test("server ssh runs ssh with the address, the user and further arguments, and passes its exit code on", async () => {
    const customer = await funded();
    const { id } = await seedServer(harness.core, await customer.accountId());
    const started: (readonly string[])[] = [];
    const start = async (program: string, args: readonly string[]) => {
      started.push([program, ...args]);
      return 255;
    };
    const argv = ["server", "ssh", `${id.replace("_", "-")}.example.com`];
    const { code, stdout } = await customer.run([...argv, "--", "-p", "2222", "uptime"], { start });
    assert.equal(code, 255);
    assert.equal(stdout, "");
    await customer.run([...argv, "--user", "debian"], { start });
    const { assignments } = await customer.json(["server", "show", id]);
    const { address } = assignments.find(({ family }: { family: number }) => family === 4);
    assert.deepEqual(started, [
      ["ssh", "-l", "root", address, "-p", "2222", "uptime"],
      ["ssh", "-l", "debian", address],
    ]);
  });

  test("server ssh says that a server without an address is not delivered", async () => {
    const customer = await funded();
    const seed = { state: "PROVISIONING" } as const;
    const { id } = await seedServer(harness.core, await customer.accountId(), seed);
    const { code, stderr } = await customer.run(["server", "ssh", id]);
    assert.equal(code, 7);
    assert.match(stderr, /is PROVISIONING and has no address yet[\s\S]*ironlease server wait srv_/);
  });

  test("open prints the address of a page, and opens it on a screen", async () => {
    const customer = await funded();
    const { id } = await seedServer(harness.core, await customer.accountId());
    const page = async (...argv: string[]) => (await customer.run(["open", ...argv])).stdout;
    assert.equal(await page(), `${harness.daemon.url}/\n`);
    assert.equal(await page("billing"), `${harness.daemon.url}/billing\n`);
    assert.equal(await page(id), `${harness.daemon.url}/servers/${id}\n`);
    assert.equal(await page(`${id.replace("_", "-")}.example.com`), await page(id));
    const mistyped = await customer.run(["open", "server"]);
    assert.equal(mistyped.code, 6);
    assert.match(mistyped.stderr, /Did you mean servers\?/);
    assert.equal((await customer.run(["open", "aud_01kfxq8n3ve7wt5c2m9hzr4d6y"])).code, 2);
    const opened: string[] = [];
    await customer.run(["open", "servers"], {
      env: { DISPLAY: ":0" },
      answers: [],
      start: async (program, args) => {
        opened.push(program, ...args);
        return 0;
      },
    });
    assert.equal(opened.at(-1), `${harness.daemon.url}/servers`);
  });
});
