/** Settings for harnesses that queue actions faster than operators complete them. */
export const noActionLimits = {
  IRONLEASE_OPEN_ACTIONS_PER_SERVER: "1000000",
  IRONLEASE_OPEN_ACTIONS_PER_ACCOUNT: "1000000",
} as const;
