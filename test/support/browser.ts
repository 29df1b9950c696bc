import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import sparticuz from "@sparticuz/chromium";
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const builder = fileURLToPath(new URL("../../packages/console/bin/build.js", import.meta.url));

/** Builds the console unless that build is there, and unpacks the browser unless it is unpacked. */
export async function prepareBrowserTests(): Promise<void> {
  execFileSync(process.execPath, [builder, "--if-needed"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await sparticuz.executablePath();
}

/** A real Chromium. Its sandbox needs rights that containers do not give. */
export async function launchBrowser(): Promise<Browser> {
  return chromium.launch({
    executablePath: await sparticuz.executablePath(),
    args: ["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"],
  });
}

export interface Visitor {
  readonly page: Page;
  /** What no page may do: errors in its console, refusals by its content security policy. */
  readonly complaints: readonly string[];
  close(): Promise<void>;
}

/** Somebody with a browser of their own: cookies and storage are shared with nobody. */
export async function visit(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
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
  const complaints: string[] = [];
  await context.addInitScript(() => {
    document.addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) => {
      console.error(`content security policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (message.type() === "error" && !isExpected(message.text())) complaints.push(message.text());
  });
  page.on("request", (request) => {
    const isOutside = new URL(request.url()).origin !== new URL(url).origin;
    if (isOutside && !request.url().startsWith("blob:")) complaints.push(`asked ${request.url()}`);
  });
  return { page, complaints, close: () => context.close() };
}

/** The browser notes every refusal of the service as an error, and refusals are no mistake. */
function isExpected(text: string): boolean {
  return /^Failed to load resource: (?:the server responded with a status of 4\d\d|net::ERR_)/.test(
    text,
  );
}
