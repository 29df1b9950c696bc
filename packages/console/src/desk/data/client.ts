import { createOperatorClient } from "@ironlease/client/operator";

/** The operator API of the service that the desk came from. */
export const client = createOperatorClient();
