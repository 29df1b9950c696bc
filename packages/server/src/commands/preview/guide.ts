import type { Config } from "../../config.ts";
import type { Service } from "../../main.ts";
import type { PreviewOperator } from "./operator.ts";

/** What somebody who has just started the preview wants to know. */
export function previewGuide(
  { url, operatorUrl, tls }: Pick<Service, "url" | "operatorUrl" | "tls">,
  config: Pick<Config, "data">,
  operator: PreviewOperator | undefined,
): string {
  const lines = ["", `  Ironlease is running at ${url}`, "", `  Console       ${url}`];
  const desk = operator === undefined ? undefined : operatorUrl;
  if (operator !== undefined && desk !== undefined) {
    lines.push(`  Desk          ${desk}, as ${operator.username}`);
    lines.push(`                ${passwordLine(operator)}`);
  }
  lines.push(`  Reference     ${url}/docs`, `  Data          ${config.data}`);
  if (tls !== undefined) lines.push(`  Certificate   ${tls.fingerprint256}`);
  const ca = tls?.caPath;
  if (ca !== undefined) {
    lines.push(`                trust ${ca} and the browser's warning goes away`);
  }
  const trust = ca === undefined ? "" : ` --ca ${ca}`;
  lines.push(
    "",
    "  Open it in a browser, or go on in another terminal:",
    "",
    `  npx ironlease register ada --url ${url}${trust}`,
    "  npx ironlease deposit create BTC",
    "  npx ironlease catalogue list",
    "",
    "  README.md goes on to the first server. Ctrl-C stops it; the data stays.",
    "",
  );
  return lines.join("\n");
}

function passwordLine({ username, password }: PreviewOperator): string {
  switch (password.kind) {
    case "made":
      return `password: ${password.value} (shown this once)`;
    case "configured":
      return "with the password in IRONLEASE_OPERATOR_PASSWORD";
    case "made before":
      return `with the password it has; ironleased operator reset ${username} makes a new one`;
  }
}
