import { createOperatorClient } from "@ironlease/client/operator";

/** Calls the operator API of the same origin. Few attempts, because a person waits. */
export const client = createOperatorClient({ attempts: 4 });
