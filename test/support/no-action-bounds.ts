/** Settings for harnesses that queue actions faster than anyone completes them. */
export const noActionBounds = {
  IRONLEASE_OPEN_ACTIONS_PER_SERVER: "1000000",
  IRONLEASE_OPEN_ACTIONS_PER_ACCOUNT: "1000000",
} as const;
