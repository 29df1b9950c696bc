/** Settings with which the service takes e-mail addresses, although no mail leaves it. */
export const noMailServer = {
  IRONLEASE_SMTP: "smtp://127.0.0.1:9",
  IRONLEASE_MAIL_FROM: "no-reply@rent.example",
} as const;
