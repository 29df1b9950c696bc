import assert from "node:assert/strict";
import { globSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { launchBrowser, visit, type Visitor } from "#test/browser.ts";
import { skipWithout } from "#test/components.ts";
import { startConsoleService, write, type ConsoleService } from "#test/console-service.ts";
import { runIronleased, temporaryFolder } from "#test/daemon.ts";
import { signInAtDesk, type DeskVisitor } from "#test/desk-visitor.ts";
import { programOf, type RunProgram } from "#test/run-component.ts";
import { password, type Customer } from "#test/service.ts";
import { ironlease } from "#test/terminal.ts";

const secrets = {
  laptop: "Root password: Trout-42-Perch",
  desktop: "https://kvm.example/s/Pike-4711",
};
const missing = [await skipWithout("age"), await skipWithout("openssh")];
const skip = missing.find((reason) => reason !== false) ?? false;

describe("sealed messages, in browsers", { skip }, () => {
  const data = temporaryFolder();
  const home = temporaryFolder();
  let service: ConsoleService;
  let browser: Browser;
  let desk: DeskVisitor;
  let customer: Customer;
  let account: Visitor;
  let threadId: string;
  let age: RunProgram;
  const bodies: string[] = [];
  before(async () => {
    [service, browser] = await Promise.all([
      startConsoleService({ IRONLEASE_DATA: data }),
      launchBrowser(),
    ]);
    age = await programOf("age", "age");
    const keygen = await programOf("openssh", "ssh-keygen");
    customer = await service.register();
    const add = async (name: string, ...parameters: readonly string[]) => {
      keygen(["-q", "-N", "", "-C", "", "-f", join(home, name), ...parameters]);
      const publicKey = readFileSync(join(home, `${name}.pub`), "utf8");
      await write(customer, "POST", "/api/v1/ssh-keys", { name, publicKey });
    };
    await add("laptop", "-t", "ed25519");
    await add("desktop", "-t", "rsa", "-b", "2048");
    await add("token", "-t", "ecdsa");
    const request = { subject: "Console", text: "Please send a KVM link." };
    ({ id: threadId } = await write<{ id: string }>(customer, "POST", "/api/v1/threads", request));
    account = await visit(browser, service.url, { as: customer });
    desk = await signInAtDesk(browser, service, "support");
    desk.page.on("request", (sent) => bodies.push(`${sent.url()} ${sent.postData() ?? ""}`));
  });
  after(async () => {
    await account.leave();
    await desk.leave();
    await browser.close();
    await service.close();
  });

  const seal = async (page: Page, name: keyof typeof secrets) => {
    await page.goto(`/messages/${threadId}`);
    const form = page.getByRole("form", { name: "Send encrypted" });
    const choice = form.getByLabel("Customer's SSH key");
    await choice.waitFor();
    const options = await choice.locator("option").allTextContents();
    assert.deepEqual(options, ["desktop (saved, ssh-rsa)", "laptop (saved, ssh-ed25519)"]);
    await choice.selectOption(options.find((option) => option.startsWith(name)) ?? "");
    await form.getByLabel("Secret").fill(secrets[name]);
    assert.ok(!(await stored(page)).includes(secrets[name]), "the draft is stored");
    // Two clicks before the page can disable the button.
    await form.getByRole("button", { name: "Encrypt and send" }).evaluate((button: HTMLElement) => {
      button.click();
      button.click();
    });
    return form;
  };
  /** All that the page keeps in the browser. */
  const stored = (page: Page) =>
    page.evaluate(() => JSON.stringify([sessionStorage, localStorage]));
  const received = () => account.page.getByRole("listitem").filter({ hasText: "Encrypted to" });

  test("an operator seals in one browser, and age opens what the customer copies in another", async () => {
    const form = await seal(desk.page, "laptop");
    await desk.page.getByText("Encrypted to the SSH key laptop of the customer").waitFor();
    assert.equal(await form.getByLabel("Secret").inputValue(), "");

    await account.page.goto(`/messages/${threadId}`);
    const message = received().last();
    await message.getByText("Encrypted to your SSH key laptop").waitFor();
    await message.getByText(/^The service erases it on /).waitFor();
    await message.getByText("age -d -i ~/.ssh/id_ed25519 ironlease-message.age").waitFor();
    await message.getByRole("button", { name: "Copy encrypted text" }).click();
    await message.getByRole("button", { name: "Copied" }).waitFor();
    const copied = await account.page.evaluate(() => navigator.clipboard.readText());
    assert.equal(age(["-d", "-i", join(home, "laptop")], copied), secrets.laptop);
  });

  test("a lost answer is retried with the same ciphertext, and ironlease and age open the one message", async () => {
    const { page } = desk;
    await page.route("**/messages", async (route) => {
      await route.fetch();
      return route.abort();
    });
    const form = await seal(page, "desktop");
    await form.getByText("The connection was lost").waitFor();
    assert.ok(!(await stored(page)).includes(secrets.desktop), "the text is stored for the retry");
    await page.unroute("**/messages");
    await form.getByRole("button", { name: "Retry" }).click();
    await page.getByText("Encrypted to the SSH key desktop of the customer").waitFor();

    await account.page.goto(`/messages/${threadId}`);
    await account.page.getByText("Encrypted to your SSH key desktop").waitFor();
    assert.equal(await received().count(), 2);
    const command = received()
      .last()
      .getByText(/^ironlease message open /);
    const [, ...argv] = (await command.textContent())?.split(" ") ?? [];
    const [saving] = await Promise.all([
      account.page.waitForEvent("download"),
      received().last().getByRole("button", { name: "Download" }).click(),
    ]);
    assert.equal(saving.suggestedFilename(), "ironlease-message.age");
    const file = await saving.path();
    assert.equal(age(["-d", "-i", join(home, "desktop"), file]), secrets.desktop);

    const ca = join(home, "ca.pem");
    writeFileSync(ca, service.ca);
    const around = { env: { XDG_CONFIG_HOME: home }, piped: `${password}\n` };
    const login = [
      "login",
      customer.username,
      "--url",
      service.url,
      "--ca",
      ca,
      "--password-stdin",
    ];
    assert.equal((await ironlease(login, around)).code, 0);
    const opened = await ironlease([...argv, "--identity", join(home, "desktop")], around);
    assert.equal(opened.stdout, `${secrets.desktop}\n`, opened.stderr);
  });

  test("no request, log line, database file or backup contains the text", async () => {
    const backup = join(temporaryFolder(), "ironlease.backup");
    const { code, stderr } = await runIronleased(["backup", backup], { IRONLEASE_DATA: data });
    assert.equal(code, 0, stderr);
    const found = globSync("**/*", { cwd: data }).map((name) => join(data, name));
    const files = [...found, backup].filter((file) => statSync(file).isFile());
    const contents = files.map((file) => readFileSync(file, "latin1"));
    assert.ok(contents.some((text) => text.includes("BEGIN AGE ENCRYPTED FILE")));
    assert.ok(bodies.some((body) => body.includes("BEGIN AGE ENCRYPTED FILE")));
    const places = [...contents, ...bodies, ...service.logged];
    for (const secret of Object.values(secrets)) {
      for (const place of places) assert.ok(!place.includes(secret));
    }
  });
});
