import { globalSetup as setUp } from "./global-setup.ts";

export { globalTeardown } from "./global-setup.ts";

/** Like `global-setup.ts`, for a run without any optimisation. */
export async function globalSetup(): Promise<void> {
  process.env["IRONLEASE_TEST_SPEED"] = "off";
  await setUp();
}
