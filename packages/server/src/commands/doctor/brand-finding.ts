import { brandOf } from "#composition/brand-file.ts";
import type { Config } from "#config.ts";
import type { Finding } from "./finding.ts";

export function brandFinding(config: Config): Finding {
  const { name, logo, accent } = brandOf(config);
  const parts = [logo && "a logo", accent && "an accent colour"].filter(
    (part) => part !== undefined,
  );
  const detail = [`the service is called ${name}`, ...parts]
    .join(", with ")
    .replace(", with an", " and an");
  return { subject: "brand", detail };
}
