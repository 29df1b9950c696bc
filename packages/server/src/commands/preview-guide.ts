import type { Config } from "../config.ts";
import type { Service } from "../main.ts";
import type { PreviewOperator } from "./preview-operator.ts";

/** What somebody who has just started the preview wants to know. */
export function previewGuide(
  { url, operatorUrl, tls }: Pick<Service, "url" | "operatorUrl" | "tls">,
  config: Pick<Config, "data">,
  operator: PreviewOperator | undefined,
): string {
  const ca = tls?.caPath === undefined ? "" : ` --cacert ${tls.caPath}`;
  const lines = [
    "",
    `  Ironlease is running at ${url}`,
    "",
    `  Console       ${url}`,
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
  if (operator !== undefined && operatorUrl !== undefined) {
    lines.push(
      `  Operators     ${operatorUrl}/operator/v1, as ${operator.username}`,
      `                ${passwordLine(operator)}`,
    );
  }
  const il = (jar: string) => `curl -sS${ca} -b ${jar} -c ${jar} -H content-type:application/json`;
  lines.push(
    "",
    "  Try it in another terminal (README.md goes on to the first server):",
    "",
    `  ${il("jar")} ${url}/api/v1/auth/register \\`,
    `    -d '{"username":"ada","password":"a long pass phrase"}'`,
    `  ${il("jar")} ${url}/api/v1/me`,
    `  ${il("jar")} ${url}/api/v1/catalogue`,
  );
  if (operator !== undefined && operatorUrl !== undefined) {
    lines.push(
      "",
      "  And as the operator:",
      "",
      `  ${il("desk")} ${operatorUrl}/operator/v1/auth/login \\`,
      `    -d '{"username":"${operator.username}","password":"${typedPassword(operator)}"}'`,
      `  ${il("desk")} ${operatorUrl}/operator/v1/work`,
    );
  }
  lines.push("", "  Ctrl-C stops it; the data stays.", "");
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

function typedPassword({ password }: PreviewOperator): string {
  return password.kind === "made" ? password.value : "…";
}
