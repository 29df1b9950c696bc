import * as read from "./setting-readers.ts";

/** How long the service keeps personal data that it does not need for its work. */
export const retentionSettings = {
  keepAddressesMs: {
    name: "IRONLEASE_KEEP_ADDRESSES",
    default: undefined,
    meaning:
      "How long the audit log keeps IP addresses, such as `90d`. [The entries themselves are never deleted](../guides/run-it.md#personal-data). By default, addresses are kept until the account is closed.",
    read: read.duration,
  },
} as const;
