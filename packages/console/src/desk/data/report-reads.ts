import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** The queries of the reports. No write of the desk invalidates them. */
export const reportReads = {
  revenue: (month: string) =>
    queryOptions({
      queryKey: ["reports", "revenue", month],
      queryFn: ({ signal }) => client.readRevenue({ month }, { signal }),
      placeholderData: keepPreviousData,
    }),
  recurring: queryOptions({
    queryKey: ["reports", "recurring"],
    queryFn: ({ signal }) => client.readRecurring({ signal }),
  }),
  churn: queryOptions({
    queryKey: ["reports", "churn"],
    queryFn: ({ signal }) => client.readChurn({ signal }),
  }),
  balanceAges: queryOptions({
    queryKey: ["reports", "balances"],
    queryFn: ({ signal }) => client.readBalanceAges({ signal }),
  }),
};
