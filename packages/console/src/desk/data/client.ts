import { createOperatorClient } from "@ironlease/client/operator";

/** Calls the operator API of the same origin. */
export const client = createOperatorClient();
