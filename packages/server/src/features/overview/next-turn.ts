/**
 * SQLite answers within the turn in which it is asked, however long that takes: between two long
 * questions the requests that have come meanwhile go first.
 */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
