/** Keeps the number of distinct statements small, and below every engine's parameter limit. */
const rowsPerInsert = 100;

/** Inserts rows in order, some at a time. */
export async function inBatches<Row>(
  rows: readonly Row[],
  insert: (batch: readonly Row[]) => Promise<void>,
): Promise<void> {
  for (let start = 0; start < rows.length; start += rowsPerInsert) {
    await insert(rows.slice(start, start + rowsPerInsert));
  }
}
