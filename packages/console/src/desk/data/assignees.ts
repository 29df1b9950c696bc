import { queryOptions } from "@tanstack/react-query";
import { client } from "./client.ts";

/** The operators that work can be assigned to. Part of the operators' queries, which changes invalidate. */
export const assignees = queryOptions({
  queryKey: ["operators", "assignees"],
  queryFn: ({ signal }) => client.listAssignees({ signal }),
});
