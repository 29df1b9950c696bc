import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import sparticuz from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";
import { isChromiumFromDebian } from "../../tools/component-table.ts";
import { readyComponent } from "./components.ts";
import type { Customer } from "./service.ts";

const builder = fileURLToPath(new URL("../../packages/console/bin/build.js", import.meta.url));
const timeoutMs = 60_000;

/** Builds the console and unpacks the browser, if that has not been done. */
export async function prepareBrowserTests(): Promise<void> {
  execFileSync(process.execPath, [builder, "--if-needed"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await chromiumProgram();
}

interface ChromiumProgram {
  readonly executablePath: string;
  /** Variables that the program needs. */
  readonly env?: Readonly<Record<string, string>>;
}

async function chromiumProgram(): Promise<ChromiumProgram> {
  if (!isChromiumFromDebian) return { executablePath: await sparticuz.executablePath() };
  const { programs, environment } = await readyComponent("chromium");
  return { executablePath: programs["chromium"] ?? "", env: environment };
}

/** Starts Chromium without its sandbox, which needs privileges that containers lack. */
export async function launchBrowser(): Promise<Browser> {
  await prepareBrowserTests();
  const { executablePath, env } = await chromiumProgram();
  return chromium.launch({
    executablePath,
    env: { ...process.env, ...env },
    args: [
      "--no-sandbox",
      "--disable-gpu",
      "--disable-dev-shm-usage",
      // Each page is open too briefly to earn back the time that optimising its scripts takes.
      "--js-flags=--no-opt --no-maglev",
    ],
  });
}

/** A user in a separate browser context, with its own cookies and storage. */
export interface Visitor {
  readonly page: Page;
  /** Closes the context and fails if the page logged an error or sent a request to another origin. */
  readonly leave: () => Promise<void>;
}

export interface VisitOptions extends BrowserContextOptions {
  /** The customer who is already signed in. */
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
  page.setDefaultTimeout(timeoutMs);
  const problems = watch(page, url);
  return {
    page,
    leave: async () => {
      await context.close();
      assert.deepEqual(problems, []);
    },
  };
}

function cookiesOf({ cookie }: Customer, url: string) {
  return cookie.split("; ").map((pair) => {
    const equals = pair.indexOf("=");
    return {
      name: pair.slice(0, equals),
      value: pair.slice(equals + 1),
      url,
      secure: true,
      httpOnly: true,
      sameSite: "Strict" as const,
    };
  });
}

/** Collects console errors, content security policy violations and requests to other origins. */
function watch(page: Page, url: string): readonly string[] {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => {
    const text = message.text();
    if (message.type() === "error" && !isRefusal(text)) problems.push(text);
  });
  page.on("request", (request) => {
    const { origin, protocol } = new URL(request.url());
    if (origin !== new URL(url).origin && protocol !== "blob:") {
      problems.push(`request to another origin: ${request.url()}`);
    }
  });
  return problems;
}

/** Chromium logs every 4xx and 503 answer and every lost connection as an error. Tests provoke those. */
function isRefusal(text: string): boolean {
  return /^Failed to load resource: (?:the server responded with a status of (?:4\d\d|503)|net::ERR_)/.test(
    text,
  );
}
