/**
 * Spaces out the batches of long background work. Called when a batch starts; the function that it returns is
 * awaited after the batch, and resolves when the next may start.
 */
export type Pacer = () => () => Promise<void>;
