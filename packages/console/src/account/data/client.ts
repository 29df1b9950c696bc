import { createSessionClient } from "@ironlease/client";

/** The account API of the service that these pages came from. */
export const client = createSessionClient();
