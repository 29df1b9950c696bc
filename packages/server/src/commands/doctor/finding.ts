/** What `doctor` says of one thing that it has looked at. */
export interface Finding {
  readonly subject: string;
  /** A start would fail, or must not happen like this. */
  readonly problem?: string;
  /** Worth knowing, and no problem. */
  readonly note?: string;
  readonly detail?: string;
}
