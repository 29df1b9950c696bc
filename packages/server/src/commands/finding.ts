/** What `doctor` says of one thing that it has looked at. */
export interface Finding {
  readonly subject: string;
  /** Undefined when all is well. */
  readonly problem?: string;
  readonly detail?: string;
}
