import { createMail } from "#composition/create-mail.ts";
import type { Config } from "#config.ts";
import type { Finding } from "./finding.ts";

/** Signs in to the mail server. Sends nothing. */
export async function mailFinding(config: Config): Promise<Finding> {
  const subject = "e-mail";
  const mail = createMail(config);
  if (mail === undefined) return { subject, note: "none: the service sends no e-mail" };
  await mail.mailer.check();
  return { subject, detail: `the mail server accepts mail from ${config.mailFrom?.address}` };
}
