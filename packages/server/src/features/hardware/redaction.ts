import type { ControllerTarget, Exchange } from "#ports/controllers.ts";

/** Removes the password in every form in which a controller or a tool could repeat it. */
export function createRedaction({
  username,
  credential,
}: Pick<ControllerTarget, "username" | "credential">): (text: string) => string {
  const forms = [
    Buffer.from(`${username}:${credential}`).toString("base64"),
    Buffer.from(credential).toString("base64"),
    Buffer.from(credential).toString("hex"),
    encodeURIComponent(credential),
    JSON.stringify(credential).slice(1, -1),
    credential,
  ];
  return (text) => forms.reduce((left, form) => left.replaceAll(form, "(secret)"), text);
}

export function redacted(
  { request, answer, observed }: Exchange,
  redact: (text: string) => string,
): Exchange {
  return {
    request: redact(request),
    answer: redact(answer),
    observed: observed === null ? null : redact(observed),
  };
}
