import { limits } from "./limits.ts";

/** A list of networks in a request or an answer, or null for anywhere. */
export const networkList = {
  type: ["array", "null"],
  items: { type: "string", maxLength: 49 },
  minItems: 1,
  maxItems: limits.allowedNetworks,
  examples: [["203.0.113.0/24", "2001:db8::/32"]],
  message: `must be 1 to ${limits.allowedNetworks} addresses or CIDRs such as 203.0.113.0/24, or null`,
} as const;
