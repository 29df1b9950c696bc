/** Stands in the page for the address of the service, which each request tells. No host can have this name. */
export const ownOrigin = "https://service.invalid";
