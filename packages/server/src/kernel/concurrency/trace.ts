import { AsyncLocalStorage } from "node:async_hooks";

/** The valid `traceparent` header of the request that causes the current work. */
const traces = new AsyncLocalStorage<string | undefined>();

export function currentTrace(): string | undefined {
  return traces.getStore();
}

/** Work that no request causes has no trace, wherever it was scheduled. */
export function withTrace<T>(traceparent: string | undefined, work: () => T): T {
  return traces.run(traceparent, work);
}

/** The header for a call to another system. The service records no spans, so it passes the header on unchanged. */
export function traceHeaders(): { readonly traceparent?: string } {
  const traceparent = currentTrace();
  return traceparent === undefined ? {} : { traceparent };
}
