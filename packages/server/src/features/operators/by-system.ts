/** Whoever runs commands on the server is nobody in particular to the audit. */
export const bySystem = { actor: "system", ipAddress: "" } as const;
