/** Placeholder for the base URL, which is known only per request. `.invalid` is a reserved name. */
export const ownOrigin = "https://service.invalid";
