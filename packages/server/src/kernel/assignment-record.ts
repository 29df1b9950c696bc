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
}

/** The columns of `AssignmentRecord`, under its names. */
export const assignmentColumns = [
  "assignments.id",
  "assignments.server_id as serverId",
  "assignments.address",
  "assignments.prefix_length as prefixLength",
  "assignments.family",
  "assignments.ptr",
] as const;
