import { createSessionClient } from "@ironlease/client";

/** Calls the account API of the same origin. */
export const client = createSessionClient();
