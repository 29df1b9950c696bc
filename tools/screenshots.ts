import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService } from "#test/console-service.ts";
import { signInAtDesk } from "#test/desk-visitor.ts";
import { populateAccount } from "#test/populate-account.ts";

/** The README's images. They are small, because every clone downloads them. */
const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
const wide = { width: 1280, height: 860 };
const narrow = { width: 360, height: 720 };

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly viewport?: typeof wide;
  readonly colorScheme?: "light" | "dark";
  readonly prepare?: (page: Page) => Promise<void>;
}

mkdirSync(folder, { recursive: true });
// Launching the browser rebuilds the console if needed, and the service reads the build when it starts.
const browser = await launchBrowser();
const service = await startConsoleService();
await populateAccount(service, "ada");
const customer = await service.signIn("ada");
const { servers } = (await customer.send("GET", "/api/v1/servers")).json as {
  servers: { id: string; hostname: string | null }[];
};
const web1 = servers.find(({ hostname }) => hostname === "web1.example.com");

const pictures: readonly Picture[] = [
  { name: "console-overview", path: "/" },
  { name: "console-order", path: "/order?config=metal-s&region=fra&quantity=5" },
  { name: "console-server", path: `/servers/${web1?.id}`, colorScheme: "dark" },
  {
    name: "console-deposit",
    path: "/billing/deposit?asset=BTC",
    viewport: narrow,
    prepare: async (page) => {
      await page.getByLabel("Amount in USD").fill("100");
      await page.getByRole("link", { name: "Continue with BTC" }).click();
      await page.getByRole("img", { name: /QR/ }).scrollIntoViewIfNeeded();
    },
  },
];

for (const { name, path, viewport = wide, colorScheme = "light", prepare } of pictures) {
  const { page, leave } = await visit(browser, service.url, {
    as: customer,
    viewport,
    colorScheme,
  });
  await page.goto(path);
  await prepare?.(page);
  await take(page, name);
  await leave();
}
const desk = await signInAtDesk(browser, service, "admin");
await desk.page.setViewportSize(wide);
await desk.page.goto("/work");
await take(desk.page, "desk-queue");
await desk.leave();
await browser.close();
await service.close();

async function take(page: Page, name: string): Promise<void> {
  await page.waitForLoadState("networkidle");
  await page.screenshot({ path: `${folder}${name}.png` });
  console.log(`docs/images/${name}.png`);
}
