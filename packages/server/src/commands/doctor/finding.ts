/** What `doctor` reports about one subject. */
export interface Finding {
  readonly subject: string;
  /** The service would not start, or should not run like this. */
  readonly problem?: string;
  /** Worth knowing, but not a problem. */
  readonly note?: string;
  readonly detail?: string;
}
