import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { readCsv } from "@ironlease/csv";
import { parse as parseYaml } from "yaml";
import { openCliHarness, type CliHarness, type Customer } from "#test/cli-harness.ts";
import { answerThread } from "#server/features/threads/answer-thread.ts";
import { operatorCall } from "#test/operators.ts";
import { ddosWorkOf, offer as offerQuote } from "#test/quotes.ts";
import { seedServer } from "#test/rental.ts";
import { ironlease } from "#test/terminal.ts";
import { intentOf, valueOf } from "#test/use-cases.ts";

const offer = ["--config", "metal-s", "--region", "fra", "--os", "debian-13", "--term", "weekly"];
const publicKey =
  "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl laptop";

describe("servers from the command line", () => {
  let harness: CliHarness;
  let owner: Customer;
  let hostname: string;
  let id: string;
  before(async () => {
    harness = await openCliHarness();
    owner = await harness.newCustomer();
    ({ id } = await seedServer(harness.core, await owner.accountId()));
    hostname = `${id.replace("_", "-")}.example.com`;
  });
  after(() => harness.close());

  test("catalogue list, quote and rate list need no sign-in", async () => {
    const service = ["--url", harness.daemon.url, "--ca", harness.ca];
    const catalogue = await ironlease(["catalogue", "list", ...service]);
    assert.equal(catalogue.code, 0, catalogue.stderr);
    assert.match(catalogue.stdout, /^CONFIG +REGION +USD\/WEEK +USD\/MONTH +AVAILABLE$/m);
    assert.match(catalogue.stdout, /^metal-s +fra +\d+\.\d\d +\d+\.\d\d +\d+$/m);
    const quote = await ironlease(["quote", ...offer, "--quantity", "5", ...service, "--json"]);
    const { unitUsd, discountPercent, totalUsd, available } = JSON.parse(quote.stdout);
    assert.ok(discountPercent > 0 && totalUsd < unitUsd * 5);
    assert.equal(available, true);
    const text = await ironlease(["quote", ...offer, ...service]);
    assert.match(text.stdout, /^Total +\d+\.\d\d USD$/m);
    const rates = await ironlease(["rate", "list", ...service]);
    assert.match(rates.stdout, /^ASSET +USD +SINCE$/m);
    assert.match(rates.stdout, /^USDC +1\.00 +\d{4}-\d\d-\d\d/m);
  });

  test("server list prints a table with addresses, YAML, CSV and ids", async () => {
    const customer = await harness.newCustomer();
    const accountId = await customer.accountId();
    const first = await seedServer(harness.core, accountId);
    const second = await seedServer(harness.core, accountId);
    const run = async (...more: readonly string[]) => {
      const { code, stdout, stderr } = await customer.run(["server", "list", ...more]);
      assert.equal(code, 0, stderr);
      return stdout.trimEnd();
    };
    const { assignments } = await customer.json(["network", "list"]);
    const addresses = assignments
      .filter(({ serverId }: { serverId: string }) => serverId === first.id)
      .map(({ address }: { address: string }) => address);
    assert.ok(addresses.length > 0);
    assert.match(await run(), /^ID +HOST NAME +ADDRESSES +STATE /);
    const csv = readCsv(await run("--output", "csv", "--columns", "id,addresses,priceUsd"));
    assert.ok(csv.ok);
    assert.deepEqual(csv.rows[0]?.cells, ["id", "addresses", "priceUsd"]);
    const row = csv.rows.find(({ cells }) => cells[0] === first.id);
    assert.equal(row?.cells[1], addresses.join(" "));
    const json = JSON.parse(await run("--output", "json"));
    assert.deepEqual(json, await customer.json(["server", "list"]));
    assert.deepEqual(parseYaml(await run("--output", "yaml")), json);
    const ids = (await run("--quiet")).split("\n");
    assert.deepEqual(ids.toSorted(), [first.id, second.id].toSorted());
    assert.equal(await run("--columns", "state", "--state", "ACTIVE"), "STATE\nACTIVE\nACTIVE");
    const key = await customer.json(["key", "create", "reader", "--scope", "read"]);
    const env = { IRONLEASE_API_KEY: key.key, IRONLEASE_URL: harness.daemon.url };
    const read = await customer.run(["server", "list"], { env });
    assert.equal(read.code, 0, read.stderr);
    assert.match(read.stdout, /^ID +HOST NAME +STATE /);
    assert.match(read.stdout, new RegExp(`^${first.id} +\\S+ +ACTIVE`, "m"));
    assert.match(read.stderr, /^No addresses: an API key of scope read cannot list them\./);
    const readCsvText = await customer.run(["server", "list", "--output", "csv"], { env });
    assert.match(readCsvText.stdout, /^id,hostname,state,/);
    const asked = await customer.run(["server", "list", "--columns", "id,addresses"], { env });
    assert.equal(asked.code, 5, asked.stderr);
    assert.equal(asked.stdout, "");
    assert.match(asked.stderr, /scope of this API key/);
    const unasked = await customer.run(["server", "list", "--columns", "id"], { env });
    assert.deepEqual([unasked.code, unasked.stderr], [0, ""]);
  });

  test("order create shows the price and asks, and a no orders nothing", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const question = /Order 1 server \(metal-s, fra, debian-13, weekly\) for \d+\.\d\d USD now\?/;
    const no = await customer.run(["order", "create", ...offer], { answers: [[question, "n\r"]] });
    assert.equal(no.code, 14);
    assert.deepEqual((await customer.json(["order", "list"])).orders, []);
    const yes = await customer.run(["order", "create", ...offer], {
      answers: [[question, "y\r"]],
      env: { NO_COLOR: "1" },
    });
    assert.equal(yes.code, 0, yes.stderr);
    assert.match(yes.stdout, /^Status +ACCEPTED$/m);
    assert.match(yes.stdout, /Ordered and paid/);
    const { servers } = await customer.json(["server", "list"]);
    assert.deepEqual(
      servers.map(({ state }: { state: string }) => state),
      ["PROVISIONING"],
    );
    assert.match((await customer.run(["order", "list"])).stdout, /ACCEPTED +1 +metal-s +fra/);
  });

  test("order create --resend with the same key returns the same order", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const argv = ["order", "create", ...offer, "--yes", "--idempotency-key", "my-first-order"];
    const first = await customer.json(argv);
    const again = await customer.json([...argv, "--resend"]);
    assert.deepEqual([again.id, again.isReplay], [first.id, true]);
    const { orders } = await customer.json(["order", "list"]);
    assert.equal(orders.length, 1);
  });

  test("order create takes a saved SSH key or a public key file, and refuses a private key", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.02");
    const file = join(harness.folder, "key.pub");
    writeFileSync(file, `${publicKey}\n`);
    await customer.json(["ssh-key", "add", "laptop", file]);
    for (const key of [
      ["--ssh-key", "laptop"],
      ["--ssh-key-file", file],
    ]) {
      const { id } = await customer.json(["order", "create", ...offer, ...key, "--yes"]);
      const orders = harness.core.db.read.selectFrom("orders").select("ssh_public_key");
      const { ssh_public_key: stored } = await orders
        .where("id", "=", id)
        .executeTakeFirstOrThrow();
      assert.match(stored ?? "", /^ssh-ed25519 AAAAC3/);
    }
    const missing = await customer.run(["order", "create", ...offer, "--ssh-key", "desk", "--yes"]);
    assert.equal(missing.code, 6);
    assert.match(
      missing.stderr,
      /No saved SSH key with the name or id desk[\s\S]*ironlease ssh-key list/,
    );
    const secret = join(harness.folder, "key");
    writeFileSync(secret, "-----BEGIN OPENSSH PRIVATE KEY-----\nAAAA\n");
    const argv = ["order", "create", ...offer, "--ssh-key-file", secret, "--yes"];
    const refused = await customer.run(argv);
    assert.equal(refused.code, 2);
    assert.match(refused.stderr, /is a private key\. Nothing was sent/);
  });

  test("a refused order shows its error code and charges nothing", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.001");
    const unknown = await customer.run(["order", "create", ...offer, "--yes", "--os", "beos"]);
    assert.equal(unknown.code, 2, "--os is given twice");
    const other = offer.map((word) => (word === "debian-13" ? "beos" : word));
    const refused = await customer.run(["order", "create", ...other, "--yes"]);
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /osId \(--os\) is not in the catalogue/);
    const poor = await customer.run(["order", "create", ...offer, "--quantity", "20", "--yes"]);
    assert.equal(poor.code, 7);
    assert.match(poor.stderr, /insufficient_balance/);
    const none = await customer.run(["order", "create", ...offer, "--quantity", "many", "--yes"]);
    assert.equal(none.code, 2);
    assert.deepEqual((await customer.json(["order", "list"])).orders, []);
  });

  test("server list and server show print the state, and show takes an id or a host name", async () => {
    const { stdout } = await owner.run(["server", "list"]);
    assert.match(stdout, new RegExp(`^${id} +${hostname} +[\\d.]+ \\S+ +ACTIVE +metal-s`, "m"));
    const byName = await owner.json(["server", "show", hostname]);
    assert.deepEqual(await owner.json(["server", "show", id]), byName);
    const shown = await owner.run(["server", "show", id]);
    assert.match(shown.stdout, /^Address +\d+\.\d+\.\d+\.\d+\/\d+$/m);
    const unknown = await owner.run(["server", "show", "unknown.example.com"]);
    assert.equal(unknown.code, 6);
    assert.match(unknown.stderr, /ironlease server list/);
    const foreign = await owner.run(["server", "show", `srv_${"0".repeat(26)}`]);
    assert.equal(foreign.code, 6);
    assert.match(foreign.stderr, /code not_found/);
  });

  for (const [verb, question, keys] of [
    ["reboot", /Reboot .*\? \(y\/N\) ?$/, "y\r"],
    ["power-off", /Power off .*\?.*\(y\/N\) ?$/, "y\r"],
    ["reinstall", /ERASED\. Type reinstall to continue: ?$/, "reinstall\r"],
    ["rotate-root-password", /Replace the root password.*\(y\/N\) ?$/, "y\r"],
  ] as const) {
    test(`server ${verb} asks for confirmation and queues the action`, async () => {
      const { code, stdout, stderr } = await owner.run(["server", verb, hostname], {
        answers: [[question, keys]],
        env: { NO_COLOR: "1" },
      });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /^QUEUED {2}act_\w{26}\n/);
      assert.match(stdout, /An operator will carry it out/);
      assert.match(stderr, /Idempotency key: /);
      const alone = await owner.run(["server", verb, hostname]);
      assert.equal(alone.code, 2);
      assert.match(alone.stderr, /To confirm, add --yes/);
      const sure = await owner.json(["server", verb, id, "--yes"]);
      assert.equal(sure.status, "QUEUED");
    });
  }

  test("server reinstall needs the word reinstall, not yes", async () => {
    const { code } = await owner.run(["server", "reinstall", id], {
      answers: [[/Type reinstall to continue: ?$/, "yes\r"]],
    });
    assert.equal(code, 14);
  });

  test("server kvm and mount-iso need no confirmation, and mount-iso refuses a private address", async () => {
    assert.equal((await owner.json(["server", "kvm", id])).status, "QUEUED");
    const iso = "https://images.example.org/rescue.iso";
    assert.equal((await owner.json(["server", "mount-iso", id, iso])).status, "QUEUED");
    const { code, stderr } = await owner.run(["server", "mount-iso", id, "https://127.0.0.1/x"]);
    assert.equal(code, 3);
    assert.match(stderr, /isoUrl \(URL\) must have a public host name/);
  });

  test("reusing an action's key for another action exits 8", async () => {
    const key = ["--idempotency-key", "one-reboot-only", "--yes"];
    const first = await owner.json(["server", "reboot", id, ...key]);
    assert.equal((await owner.json(["server", "reboot", id, ...key])).id, first.id);
    assert.equal((await owner.run(["server", "power-off", id, ...key])).code, 8);
  });

  test("an action on a server that is PROVISIONING exits 7 server_not_ready", async () => {
    const customer = await harness.newCustomer();
    const accountId = await customer.accountId();
    const ordered = await seedServer(harness.core, accountId, { state: "PROVISIONING" });
    const { code, stderr } = await customer.run(["server", "reboot", ordered.id, "--yes"]);
    assert.equal(code, 7);
    assert.match(stderr, /server_not_ready/);
    assert.match(
      (await customer.run(["server", "show", ordered.id])).stdout,
      /starts with the del/,
    );
  });

  test("server ddos shows the mode, queues a change and withdraws it", async () => {
    const before = await owner.json(["server", "ddos", id]);
    assert.deepEqual([before.mode, before.requestedMode], ["BASELINE", null]);
    const queued = await owner.run(["server", "ddos", id, "advanced"]);
    assert.match(queued.stdout, /^QUEUED {2}ADVANCED\n/);
    assert.match(queued.stdout, /An operator will apply it[\s\S]*needs a quote/);
    assert.match((await owner.run(["server", "show", id])).stdout, /BASELINE; ADVANCED is queued/);
    const back = await owner.json(["server", "ddos", id, "BASELINE"]);
    assert.equal(back.status, "UNCHANGED");
    assert.equal((await owner.run(["server", "ddos", id, "total"])).code, 2);
  });

  test("server accept-quote accepts exactly the quote that server ddos and server show print", async () => {
    const customer = await harness.newCustomer();
    const server = await seedServer(harness.core, await customer.accountId());
    await customer.json(["server", "ddos", server.id, "advanced"]);
    const operator = await operatorCall(harness.core, "support");
    await offerQuote(harness.core, operator, await ddosWorkOf(harness.core, server.id), 50);
    const shown = await customer.run(["server", "show", server.id]);
    assert.match(shown.stdout, /^DDoS mode +BASELINE; ADVANCED is queued, waiting for you/m);
    assert.match(shown.stdout, /^DDoS quote +50\.00 USD monthly, valid until \d/m);
    const accept = ["server", "accept-quote", server.id, "--yes", "--usd"];
    const other = await customer.run([...accept, "49"]);
    assert.equal(other.code, 7);
    assert.match(other.stderr, /quote_changed/);
    const accepted = await customer.run([...accept, "50"]);
    assert.match(accepted.stdout, /^QUEUED {2}ADVANCED\nAccepted\./);
    assert.match(
      (await customer.run(["server", "ddos", server.id])).stdout,
      /^Quote +50\.00 USD.*accepted$/m,
    );
    await customer.json(["server", "ddos", server.id, "baseline"]);
    assert.equal((await customer.json(["server", "ddos", server.id])).quote, null);
  });

  test("server label names a server, which is then found by its label", async () => {
    await owner.json(["server", "label", id, "Shop database"]);
    assert.equal((await owner.json(["server", "show", "Shop database"])).id, id);
    assert.match((await owner.run(["server", "list"])).stdout, /Shop database/);
    assert.equal((await owner.json(["server", "label", "Shop database", ""])).label, "");
    assert.equal((await owner.run(["server", "show", "Shop database"])).code, 6);
  });

  test("server renewal turns automatic renewal off and on", async () => {
    const off = await owner.run(["server", "renewal", hostname, "off"]);
    assert.match(off.stdout, /does not renew/);
    assert.equal((await owner.json(["server", "show", id])).autoRenew, false);
    assert.equal((await owner.json(["server", "renewal", id, "ON"])).autoRenew, true);
  });

  test("network lists addresses and sets and clears their PTR names", async () => {
    const { assignments } = await owner.json(["network", "list"]);
    const [{ id: networkId, address }] = assignments;
    const set = await owner.run(["network", "set-ptr", address, "Web1.Example.com."]);
    assert.match(set.stdout, /to web1\.example\.com\./);
    // This preview has no DNS server, so nothing is published.
    const { stdout: listed } = await owner.run(["network", "list"]);
    assert.match(listed, /REVERSE DNS +PUBLISHED +SERVER/);
    assert.match(listed, /web1\.example\.com +- +srv_/);
    const wrong = await owner.run(["network", "set-ptr", networkId, "127.0.0.1"]);
    assert.equal(wrong.code, 3);
    assert.match(wrong.stderr, /ptr must be/);
    assert.equal((await owner.json(["network", "clear-ptr", networkId])).ptr, "");
    assert.equal((await owner.run(["network", "clear-ptr", "192.0.2.99"])).code, 6);
  });

  test("set-ptr finds an address with its prefix length, and IPv6 in any notation", async () => {
    const { assignments } = await owner.json(["network", "list"]);
    const of = (family: number) =>
      assignments.find((one: { family: number }) => one.family === family) ?? assert.fail();
    const ptrAt = async (address: string) =>
      (await owner.json(["network", "set-ptr", address, "web2.example.com"])).id;
    const [four, six] = [of(4), of(6)];
    assert.equal(await ptrAt(`${four.address}/${four.prefixLength}`), four.id);
    assert.equal(await ptrAt(`${six.address}/${six.prefixLength}`), six.id);
    const [head, tail = ""] = six.address.split("::");
    const groups = [head, tail].map((part) => part.split(":").filter((group: string) => group));
    const zeros = Array.from({ length: 8 - groups.flat().length }, () => "0000");
    const whole = [...groups[0], ...zeros, ...groups[1]].join(":").toUpperCase();
    assert.notEqual(whole, six.address);
    for (const spelled of [whole, `[${six.address}]`, `${whole}/${six.prefixLength}`]) {
      assert.equal(await ptrAt(spelled), six.id, spelled);
    }
    const other = await owner.run(["network", "clear-ptr", `${six.address}/127`]);
    assert.equal(other.code, 6);
    assert.match(other.stderr, /No address with the name or id .*\/127/);
  });

  test("empty lists say so, and server list suggests the next command", async () => {
    const customer = await harness.newCustomer();
    const outputOf = async (...argv: string[]) => (await customer.run(argv)).stdout;
    assert.match(await outputOf("server", "list"), /No servers yet.*ironlease catalogue list/);
    assert.match(await outputOf("order", "list"), /No orders yet/);
    assert.match(await outputOf("network", "list"), /No addresses yet/);
    assert.match(await outputOf("deposit", "list"), /No deposits yet/);
    assert.match(await outputOf("key", "list"), /No API keys/);
    assert.match(await outputOf("ssh-key", "list"), /No saved SSH keys/);
    assert.match(await outputOf("ledger", "list"), /^Balance 0\.00 USD, held 0\.00 USD\n$/);
  });

  test("message send opens a thread and continues it, and list and show print both sides", async () => {
    const opened = await owner.json([
      ...["message", "send", "First line.\nSecond \u001b[31mline.", "--subject", "Second disk"],
      ...["--server", hostname],
    ]);
    const { threadId } = opened;
    assert.match(threadId, /^thr_/);
    await owner.json(["message", "send", "Any news?", "--thread", threadId]);
    const operator = await operatorCall(harness.core, "support");
    const intent = intentOf("answerThread");
    const text = "We replaced the disk.";
    await valueOf(answerThread(harness.core, { ...operator, intent }, { threadId, text }));

    const list = await owner.run(["message", "list"]);
    assert.match(list.stdout, /Second disk +OPEN +1 /);
    const shown = await owner.run(["message", "show", threadId, "--mark-read"]);
    assert.match(
      shown.stdout,
      /You, .*\nFirst line\.\nSecond \\u001b\[31mline\.\n\nYou, .*\nAny news\?\n\nOperator, .*\nWe replaced the disk\.\n/,
    );
    assert.doesNotMatch(shown.stdout, new RegExp(operator.operator.username));
    const { threads } = await owner.json(["message", "list"]);
    assert.deepEqual(threads[0].unread, 0);
    for (const wrong of [[], ["--thread", threadId, "--subject", "x"]]) {
      assert.equal((await owner.run(["message", "send", "Hello", ...wrong])).code, 2);
    }
  });

  test("server cancel asks, refunds an undelivered server and ends it", async () => {
    const customer = await harness.newCustomer();
    await customer.fund("0.01");
    const { balanceUsd } = await customer.json(["whoami"]);
    const { serverIds } = await customer.json(["order", "create", ...offer, "--yes"]);
    const { refundUsd } = await customer.json(["server", "cancel", serverIds[0], "--yes"]);
    assert.ok(refundUsd > 0);
    assert.equal((await customer.json(["whoami"])).balanceUsd, balanceUsd);
    assert.deepEqual((await customer.json(["server", "list"])).servers, []);
  });
});
