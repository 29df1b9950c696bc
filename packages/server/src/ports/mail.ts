/** A mail to one recipient. */
export interface Mail {
  /** Becomes the Message-ID, so that a mail that is sent twice is recognised as one. */
  readonly id: string;
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** A page on which the recipient can unsubscribe. Undefined for security mails, which cannot be unsubscribed from. */
  readonly unsubscribeUrl: string | undefined;
}

/**
 * What the mail server said. DEFERRED may be tried again. MAIL_REFUSED and ADDRESS_REFUSED are final: the server takes
 * this mail never, or no mail to this address.
 */
export type MailAnswer = "SENT" | "DEFERRED" | "MAIL_REFUSED" | "ADDRESS_REFUSED";

/** Sends mail. */
export interface Mailer {
  /** Throws `MailUnavailable` when no mail at all can be sent at the moment. */
  send(mail: Mail): Promise<MailAnswer>;
  /** Connects and signs in without sending. Throws `MailUnavailable`. */
  check(): Promise<void>;
}

/** The mail server cannot be used: it does not answer, or it refuses the connection, the sign-in or the sender. */
export class MailUnavailable extends Error {
  override readonly name = "MailUnavailable";
}
