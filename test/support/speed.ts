import { everyWrapper, type Speed } from "#server/composition/speed.ts";

/** Set to `off` to run tests without any optimisation; see `global-setup-plain.ts`. */
const { IRONLEASE_TEST_SPEED: setting } = process.env;

export const speedUnderTest: Speed = setting === "off" ? {} : everyWrapper;
