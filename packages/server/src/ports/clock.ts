/** The current time in epoch milliseconds. A port, so that tests can move it. */
export interface Clock {
  now(): number;
}
