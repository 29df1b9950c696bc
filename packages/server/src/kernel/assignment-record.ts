/** An assigned address as its customer sees it. */
export interface AssignmentRecord {
  readonly id: string;
  readonly serverId: string;
  /** The address, or the first address of an IPv6 prefix. */
  readonly address: string;
  readonly prefixLength: number;
  /** 4 or 6. */
  readonly family: number;
  /** Empty when none is set. */
  readonly ptr: string;
  /** What the name servers answered last. Null before they were asked. */
  readonly answered: string | null;
  readonly answeredAt: number | null;
}

/** The columns of `AssignmentRecord`, under its names. The query must include `published_ptrs`. */
export const assignmentColumns = [
  "assignments.id",
  "assignments.server_id as serverId",
  "assignments.address",
  "assignments.prefix_length as prefixLength",
  "assignments.family",
  "assignments.ptr",
  "published_ptrs.answered",
  "published_ptrs.seen_at as answeredAt",
] as const;
