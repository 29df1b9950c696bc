import { Type } from "typebox";
import { limits } from "../limits.ts";
import { operation } from "../operation.ts";
import { id, nullableTime, time } from "../schemas.ts";
import { asset } from "./deposits.ts";
import { destination } from "./withdrawals.ts";

const withdrawalAddress = Type.Object(
  {
    id: id("withdrawalAddress"),
    asset,
    destination: Type.String({ examples: ["bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq"] }),
    label: Type.String({ examples: ["Cold wallet"] }),
    createdAt: time,
    usableAt: {
      ...time,
      description: "From then on, withdrawals to this address work while withdrawals are locked.",
    },
  },
  { title: "WithdrawalAddress" },
);

const lock = Type.Object(
  {
    locked: Type.Boolean({ description: "True until `unlocksAt`." }),
    unlocksAt: Type.Unsafe<string | null>({
      ...nullableTime,
      description: "When the requested unlock takes effect. Null if none is requested.",
    }),
  },
  { title: "WithdrawalLock" },
);

const ofWithdrawals = {
  listener: "account",
  tag: "Withdrawal addresses",
  idempotency: "none",
  extension: true,
  access: { kind: "session", scopes: [] },
} as const;

export const withdrawalAddresses = {
  listWithdrawalAddresses: operation({
    ...ofWithdrawals,
    method: "GET",
    path: "/api/v1/withdrawal-addresses",
    summary: "List saved withdrawal addresses",
    description: "Newest first.",
    answers: {
      200: Type.Object({ withdrawalAddresses: Type.Array(withdrawalAddress) }),
    },
    errors: [],
  }),
  addWithdrawalAddress: operation({
    ...ofWithdrawals,
    method: "POST",
    path: "/api/v1/withdrawal-addresses",
    summary: "Save a withdrawal address",
    description: `While withdrawals are locked, they go only to addresses that were saved at least 48 hours ago. An account can save up to ${limits.withdrawalAddressesPerAccount}.`,
    body: Type.Object(
      {
        asset,
        destination,
        label: Type.String({
          maxLength: limits.withdrawalLabelLength,
          message: `must be at most ${limits.withdrawalLabelLength} characters`,
          examples: ["Cold wallet"],
        }),
      },
      { additionalProperties: false },
    ),
    answers: { 201: withdrawalAddress },
    errors: ["conflict", "limit_reached"],
  }),
  removeWithdrawalAddress: operation({
    ...ofWithdrawals,
    method: "DELETE",
    path: "/api/v1/withdrawal-addresses/{id}",
    summary: "Remove a saved withdrawal address",
    description: "Takes effect at once. Requested withdrawals to it are not affected.",
    answers: { 204: null },
    errors: [],
  }),
  readWithdrawalLock: operation({
    ...ofWithdrawals,
    method: "GET",
    path: "/api/v1/withdrawal-lock",
    summary: "Read the withdrawal lock",
    answers: { 200: lock },
    errors: [],
  }),
  setWithdrawalLock: operation({
    ...ofWithdrawals,
    method: "PUT",
    path: "/api/v1/withdrawal-lock",
    summary: "Lock or unlock withdrawals",
    description:
      "While locked, withdrawals go only to saved addresses that are usable. Locking takes effect at once and cancels a requested unlock. Unlocking takes effect after 48 hours. Both send an e-mail to the contact.",
    body: Type.Object(
      { locked: Type.Boolean({ message: "must be true or false" }) },
      { additionalProperties: false },
    ),
    answers: { 200: lock },
    errors: [],
  }),
};
