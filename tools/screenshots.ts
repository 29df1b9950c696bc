import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { launchBrowser, visit } from "#test/browser.ts";
import { startConsoleService } from "#test/console-service.ts";
import { deskPassword, signInAs } from "#test/desk-visitor.ts";
import { assertLoaded, waitUntilLoaded } from "#test/loaded-page.ts";
import { addTestOperator } from "#test/operators.ts";
import { historyDays, populateAccounts } from "#test/populate-account.ts";

/** The README's images: at 2x, in light and dark. They are small, because every clone downloads them. */
const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
const wide = { width: 1440, height: 1000 };
const narrow = { width: 390, height: 844 };
const maxBytes = 150_000;

interface Picture {
  readonly name: string;
  readonly path: string;
  readonly viewport?: typeof wide;
  readonly prepare?: (page: Page) => Promise<void>;
}

mkdirSync(folder, { recursive: true });
// Launching the browser rebuilds the console if needed, and the service reads the build when it starts.
const browser = await launchBrowser();
const service = await startConsoleService({}, { startedDaysAgo: historyDays });
await populateAccounts(service, [
  { username: "ada" },
  // The operators have more than one customer.
  {
    username: "grace",
    domain: "example.org",
    payee: "bc1quqg0688p4nqh8ca5sddhvd0c63sq6a6gj6ye4t",
    withdrawUsd: "64.00",
    lastOrder: { configId: "metal-l", regionId: "ams" },
  },
]);
const customer = await service.signIn("ada");
const { servers } = (await customer.send("GET", "/api/v1/servers")).json as {
  servers: { id: string; hostname: string | null }[];
};
const web1 = servers.find(({ hostname }) => hostname === "web1.example.com");

const pictures: readonly Picture[] = [
  { name: "console-overview", path: "/" },
  { name: "console-order", path: "/order?config=metal-s&region=fra&quantity=5" },
  { name: "console-server", path: `/servers/${web1?.id}` },
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
  { name: "reference", path: "/docs", viewport: { width: 1280, height: 860 } },
];

const looks = (["light", "dark"] as const).map((colorScheme) => ({
  colorScheme,
  deviceScaleFactor: 2,
}));
for (const look of looks) {
  for (const { name, path, viewport = wide, prepare } of pictures) {
    const { page, leave } = await visit(browser, service.url, { ...look, as: customer, viewport });
    await page.goto(path);
    await prepare?.(page);
    await take(page, `${name}-${look.colorScheme}`);
    await leave();
  }
}
const { username } = await addTestOperator(service.core, "admin", {
  username: "margaret",
  password: deskPassword,
});
for (const look of looks) {
  const desk = await signInAs(browser, service.operatorUrl, username, { ...look, viewport: wide });
  await desk.page.goto("/work");
  await take(desk.page, `desk-queue-${look.colorScheme}`);
  await desk.leave();
}
await browser.close();
await service.close();

/** Playwright writes no WebP, which is a third of the size of PNG. */
async function take(page: Page, name: string): Promise<void> {
  await waitUntilLoaded(page);
  const chromium = await page.context().newCDPSession(page);
  const clip = { x: 0, y: 0, ...(page.viewportSize() ?? wide), scale: 2 };
  const { data } = await chromium.send("Page.captureScreenshot", {
    format: "webp",
    quality: 75,
    clip,
  });
  // A page that loads again meanwhile would be in the picture.
  await assertLoaded(page);
  const image = Buffer.from(data, "base64");
  assert.ok(image.length <= maxBytes, `${name} has ${image.length} bytes`);
  writeFileSync(`${folder}${name}.webp`, image);
  console.log(`docs/images/${name}.webp, ${Math.round(image.length / 1_000)} kB`);
}
