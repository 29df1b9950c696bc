import { createSessionClient } from "@ironlease/client";

/**
 * Calls the account API of the same origin. With few attempts, because a person waits: after them the page says that the
 * answer was lost and offers to resend.
 */
export const client = createSessionClient({ attempts: 4 });
