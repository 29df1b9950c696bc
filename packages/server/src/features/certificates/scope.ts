import type { Core } from "#kernel/core.ts";

/** Which certificate: instances with the same authority and names share it. */
export interface CertificateScope {
  readonly directory: string;
  readonly names: readonly string[];
}

export type CertificateCore = Pick<Core, "db" | "clock" | "random" | "sealing">;

export function keyOf({ directory, names }: CertificateScope) {
  return { directory, names: names.join(" ") };
}
