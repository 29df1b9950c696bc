/** SQLite runs each query synchronously. Between two long ones, this lets waiting requests go first. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
