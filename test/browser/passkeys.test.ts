import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import type { Browser, CDPSession, Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { addOperator, submitSignIn } from "#test/desk-visitor.ts";
import { startTestService, type TestService } from "#test/service.ts";

const postPath = "/api/v1/auth/passkey-login";

/** Gives the page a device with a user who always agrees. Chromium answers for it as for a real one. */
async function plugIn(page: Page): Promise<Device> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("WebAuthn.enable");
  const { authenticatorId } = await devtools.send("WebAuthn.addVirtualAuthenticator", {
    options: {
      protocol: "ctap2",
      transport: "internal",
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  return { devtools, authenticatorId };
}

interface Device {
  readonly devtools: CDPSession;
  readonly authenticatorId: string;
}

async function passkeyOn({ devtools, authenticatorId }: Device) {
  const { credentials } = await devtools.send("WebAuthn.getCredentials", { authenticatorId });
  return credentials[0] ?? assert.fail("the device has no passkey");
}

/** Replaces the device's passkey. */
async function put(
  { devtools, authenticatorId }: Device,
  credential: Awaited<ReturnType<typeof passkeyOn>>,
): Promise<void> {
  await devtools.send("WebAuthn.clearCredentials", { authenticatorId });
  await devtools.send("WebAuthn.addCredential", { authenticatorId, credential });
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByLabel("Name").fill(name);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("row", { name }).waitFor();
}

async function signOut(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Sign out", exact: true }).click();
  await page.waitForURL("**/sign-in");
}

describe("passkeys, in a browser", () => {
  let service: TestService;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([
      startTestService("sqlite", { mode: "serve" }),
      launchBrowser(),
    ]);
  });
  after(async () => {
    await browser.close();
    await service.close();
  });

  const usePasskey = (page: Page) => page.getByRole("button", { name: "Use a passkey" }).click();

  test("a customer adds a passkey, and it signs in, but not again, elsewhere, copied or removed", async () => {
    const ada = await service.register("ada");
    const { page, leave } = await visit(browser, service.url, { as: ada });
    const device = await plugIn(page);
    await page.goto("/security");
    await addPasskey(page, "Work laptop");
    await signOut(page);
    const finishing = page.waitForRequest("**/auth/passkey-login/finish");
    await usePasskey(page);
    await page.getByRole("heading", { name: "Your first server" }).waitFor();
    const finish = (body: unknown) => service.send("POST", `${postPath}/finish`, { body });
    assert.equal((await finish((await finishing).postDataJSON())).status, 401);

    // The desk has the same host name and another port, so the browser offers the passkey there too.
    const elsewhere = await visit(browser, service.operatorUrl);
    await put(await plugIn(elsewhere.page), await passkeyOn(device));
    await elsewhere.page.goto("/sign-in");
    const { options } = (await service.send("POST", `${postPath}/begin`)).json;
    const credential = await elsewhere.page.evaluate(async (given) => {
      const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(given);
      const signed = await navigator.credentials.get({ publicKey });
      return (signed as PublicKeyCredential).toJSON();
    }, options as PublicKeyCredentialRequestOptionsJSON);
    assert.equal((await finish({ credential })).status, 401);
    await elsewhere.leave();

    await signOut(page);
    const signed = await passkeyOn(device);
    assert.ok(signed.signCount > 0);
    await put(device, { ...signed, signCount: 0 });
    await usePasskey(page);
    await page.getByText("Incorrect credentials").waitFor();
    await put(device, signed);
    await usePasskey(page);
    await page.getByRole("heading", { name: "Your first server" }).waitFor();

    await page.goto("/security");
    await page.getByRole("button", { name: "Remove Work laptop" }).click();
    await page.getByRole("button", { name: "Remove passkey" }).click();
    await page.getByText("No passkeys").waitFor();
    await signOut(page);
    await usePasskey(page);
    await page.getByText("Incorrect credentials").waitFor();
    await leave();
  });

  test("an operator uses a passkey as second factor, and needs it after the password", async () => {
    const { username } = await addOperator(service.core, "admin");
    const { page, leave } = await visit(browser, service.operatorUrl);
    await plugIn(page);
    await page.goto("/security");
    await submitSignIn(page, username);
    await page.getByRole("button", { name: "Use a passkey instead" }).click();
    await page.getByLabel("Name").fill("Security key");
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("row", { name: "Security key" }).waitFor();
    await signOut(page);
    await submitSignIn(page, username);
    await page.getByText("Confirm with your passkey to sign in").waitFor();
    assert.equal(await page.getByLabel("Authentication code").count(), 0);
    await usePasskey(page);
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
    await leave();
  });
});
