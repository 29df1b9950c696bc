import assert from "node:assert/strict";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { startIronleased, temporaryFolder } from "#test/daemon.ts";
import { codeBlocks, outputOf, runBlocks, type Step } from "#test/guide.ts";
import { password } from "#test/service.ts";

const repository = fileURLToPath(new URL("../../", import.meta.url));

/** There is no terminal here, so a shell function adds the options that replace typed answers. */
const prelude = `ironlease() {
  case "$1 \${2-}" in
    "register "*) printf '%s' "$PASS_PHRASE" | command ironlease "$@" --password-stdin ;;
    "order create" | "withdraw "*) command ironlease "$@" --yes ;;
    *) command ironlease "$@" ;;
  esac
}
`;

interface Service {
  readonly url: string;
  /** The working directory. It contains the preview's data folder and node_modules. */
  readonly folder: string;
}

/** Runs the `sh` blocks of a page in one shell, up to a limit, and returns the output of each. */
function runPage(
  page: string,
  { url, folder }: Service,
  username: string,
  limit = Number.POSITIVE_INFINITY,
): Promise<readonly Step[]> {
  const blocks = codeBlocks(page, "sh")
    .slice(0, limit)
    .map((block) => block.replaceAll("https://localhost:8443", url).replace("ada", username));
  // The port is the only difference from the page.
  const env = { PASS_PHRASE: password, XDG_CONFIG_HOME: temporaryFolder(), IRONLEASE_URL: url };
  return runBlocks(blocks, { folder, env, prelude });
}

describe("commands in the docs", () => {
  let service: Service & { stop(): Promise<unknown> };
  before(async () => {
    const folder = temporaryFolder();
    symlinkSync(join(repository, "node_modules"), join(folder, "node_modules"));
    const daemon = await startIronleased("preview", { IRONLEASE_DATA: join(folder, "data") });
    service = { folder, url: daemon.url, stop: () => daemon.stop() };
  });
  after(() => service.stop());

  test("the commands of docs/guides/first-server.md print the output that the guide shows", async () => {
    const steps = await runPage("docs/guides/first-server.md", service, "ada");
    const output = (command: string) => outputOf(steps, command);
    assert.match(output("register"), /Recovery code +\S+/);
    assert.match(output("whoami"), /Username +ada\nBalance +0\.00 USD/);
    assert.match(output("quote"), /Total +39\.00 USD/);
    assert.match(output("deposit list"), /CONFIRMING +1 of 2/);
    assert.match(output("deposit watch"), /CREDITED[\s\S]*Balance 942\.50 USD, held 0\.00 USD/);
    const [first, second] = steps.filter(({ commands }) => commands.includes("order create"));
    const order = /ord_\w{26}/.exec(first?.output ?? "")?.[0] ?? "no order";
    assert.match(first?.output ?? "", /Status +ACCEPTED\nCharged +39\.00 USD/);
    assert.match(second?.output ?? "", /nothing happened twice/);
    assert.equal(second?.output.split(order).length, 3);
    assert.match(output("server show"), /State +PROVISIONING/);
    assert.match(output("server ddos"), /QUEUED {2}ADVANCED[\s\S]*does not renew/);
    assert.equal(JSON.parse(output("key create")).servers.length, 1);
    assert.match(output("withdraw"), /PENDING_REVIEW[\s\S]*held 100\.00 USD[\s\S]*Signed out/);
  });

  test("the first block of README.md orders a server that is PROVISIONING", async () => {
    // The next block is for the operator and needs a password that the reader copies.
    const [{ output } = { output: "" }] = await runPage("README.md", service, "grace", 1);
    assert.match(output, /Username +grace\nBalance +942\.50 USD/);
    assert.match(output, /srv_\w{26} +- +- +PROVISIONING +metal-s/);
  });
});
