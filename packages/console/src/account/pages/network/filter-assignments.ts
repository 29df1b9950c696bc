import type { Assignment } from "@ironlease/client";

export type Family = "" | "4" | "6";

/** Matches the text against address, DNS name and server. */
export function filterAssignments(
  assignments: readonly Assignment[],
  text: string,
  family: Family,
  nameOf: (serverId: string) => string,
): readonly Assignment[] {
  const wanted = text.trim().toLowerCase();
  return assignments.filter(
    (assignment) =>
      (family === "" || String(assignment.family) === family) &&
      [assignment.address, assignment.ptr, nameOf(assignment.serverId)].some((value) =>
        value.toLowerCase().includes(wanted),
      ),
  );
}
