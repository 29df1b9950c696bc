// For tests of features, which may not import other features.
export { signLiabilities } from "#server/features/liabilities/sign-liabilities.ts";
