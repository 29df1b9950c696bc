import { useQuery } from "@tanstack/react-query";
import { reads } from "./reads.ts";

/** In USD. The account, which pages wait for, has it until the first poll. */
export function useBalance(): number | undefined {
  const { data: account } = useQuery(reads.account);
  const { data: changes } = useQuery(reads.accountChanges);
  return (changes ?? account)?.balanceUsd;
}
