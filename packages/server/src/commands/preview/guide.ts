import type { Config } from "#config.ts";
import type { Service } from "#composition/start-service.ts";
import type { PreviewOperator } from "./operator.ts";

/** What to do after starting the preview. */
export function previewGuide(
  { url, operatorUrl, tls }: Pick<Service, "url" | "operatorUrl" | "tls">,
  config: Pick<Config, "data">,
  operator: PreviewOperator | undefined,
): string {
  const lines = ["", `  Ironlease is running at ${url}`, "", `  Console       ${url}`];
  const desk = operator === undefined ? undefined : operatorUrl;
  if (operator !== undefined && desk !== undefined) {
    lines.push(`  Desk          ${desk}, sign in as ${operator.username}`);
    lines.push(`                ${passwordLine(operator)}`);
  }
  lines.push(`  Reference     ${url}/docs`, `  Data          ${config.data}`);
  if (tls !== undefined) lines.push(`  Certificate   ${tls.fingerprint256}`);
  const ca = tls?.caPath;
  if (ca !== undefined) {
    lines.push(`                to avoid browser warnings, trust ${ca}`);
  }
  const trust = ca === undefined ? "" : ` --ca ${ca}`;
  lines.push(
    "",
    "  Open the console in a browser, or continue in another terminal:",
    "",
    `  npx ironlease register ada --url ${url}${trust}`,
    "  npx ironlease deposit create BTC",
    "  npx ironlease catalogue list",
    "",
    "  For your first server, see README.md. Ctrl-C stops the preview and keeps its data.",
    "",
  );
  return lines.join("\n");
}

function passwordLine({ username, password }: PreviewOperator): string {
  switch (password.kind) {
    case "generated":
      return `password: ${password.value} (shown only once)`;
    case "configured":
      return "password from IRONLEASE_OPERATOR_PASSWORD";
    case "set earlier":
      return `password set earlier; for a new one: ironleased operator reset ${username}`;
  }
}
