import type { Config } from "../config.ts";
import type { Service } from "../main.ts";

/** What somebody who has just started the preview wants to know. */
export function previewGuide({ url, tls }: Service, config: Config): string {
  const ca = tls?.caPath === undefined ? "" : ` --cacert ${tls.caPath}`;
  const lines = [
    "",
    `  Ironlease is running at ${url}`,
    "",
    `  Reference     ${url}/docs`,
    `  Data          ${config.data}`,
  ];
  if (tls !== undefined) {
    lines.push(
      `  Certificate   ${tls.fingerprint256}`,
      ...(tls.caPath === undefined
        ? []
        : [`                trust ${tls.caPath} and the browser's warning goes away`]),
    );
  }
  const il = `curl -sS${ca} -b jar -c jar -H content-type:application/json`;
  lines.push(
    "",
    "  Try it in another terminal (README.md goes on to the first server):",
    "",
    `  ${il} ${url}/api/v1/auth/register \\`,
    `    -d '{"username":"ada","password":"a long pass phrase"}'`,
    `  ${il} ${url}/api/v1/me`,
    `  ${il} ${url}/api/v1/catalogue`,
    "",
    "  Ctrl-C stops it; the data stays.",
    "",
  );
  return lines.join("\n");
}
