import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import sparticuz from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import type { Customer } from "./service.ts";

const builder = fileURLToPath(new URL("../../packages/console/bin/build.js", import.meta.url));
const slowestMs = 20_000;

/** Builds the console unless that build is there, and unpacks the browser unless it is unpacked. */
export async function prepareBrowserTests(): Promise<void> {
  execFileSync(process.execPath, [builder, "--if-needed"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await sparticuz.executablePath();
}

/** A real Chromium. Its sandbox needs rights that containers do not give. */
export async function launchBrowser(): Promise<Browser> {
  await prepareBrowserTests();
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

/** Somebody with a browser of their own: cookies and storage are shared with nobody. */
export interface Visitor {
  readonly page: Page;
  /** Fails on what no page may do, then lets go of the browser's window. */
  readonly leave: () => Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** Who is signed in already. */
  readonly as?: Customer;
}

export async function visit(
  browser: Browser,
  url: string,
  { as: customer, ...options }: VisitOptions = {},
): Promise<Visitor> {
  const context = await browser.newContext({
    baseURL: url,
    ignoreHTTPSErrors: true,
    locale: "en-GB",
    timezoneId: "Europe/Berlin",
    viewport: { width: 1280, height: 900 },
    reducedMotion: "reduce",
    permissions: ["clipboard-read", "clipboard-write"],
    ...options,
  });
  if (customer !== undefined) await context.addCookies(cookiesOf(customer, url));
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`content security policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(slowestMs);
  const complaints = watch(page, url);
  return {
    page,
    leave: async () => {
      await context.close();
      assert.deepEqual(complaints, []);
    },
  };
}

function cookiesOf({ cookie }: Customer, url: string) {
  return cookie.split("; ").map((pair) => {
    const equals = pair.indexOf("=");
    return {
      ...{ name: pair.slice(0, equals), value: pair.slice(equals + 1), url },
      ...{ secure: true, httpOnly: true, sameSite: "Strict" as const },
    };
  });
}

/** What no page may do: errors in its console, refusals by its policy, requests to anybody else. */
function watch(page: Page, url: string): readonly string[] {
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !isRefusal(text)) complaints.push(text);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== "blob:") {
      complaints.push(`asked for ${request.url()}`);
    }
  });
  return complaints;
}

/** The browser notes every refusal of the service, and every cut connection, as an error. */
function isRefusal(text: string): boolean {
  return /^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_)/.test(
    text,
  );
}
