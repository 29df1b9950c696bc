import * as read from "./setting-readers.ts";

/** Settings of certificates from an authority, with `IRONLEASE_TLS=acme`. */
export const certificateSettings = {
  acmeDirectory: {
    name: "IRONLEASE_ACME_DIRECTORY",
    default: "https://acme-v02.api.letsencrypt.org/directory",
    meaning:
      "Directory URL of the certificate authority (ACME), for `IRONLEASE_TLS=acme`. The default is Let's Encrypt.",
    read: read.httpsUrl,
  },
  acmeContact: {
    name: "IRONLEASE_ACME_CONTACT",
    default: undefined,
    meaning: "E-mail address for warnings of the certificate authority.",
    read: read.text,
  },
  acmeHttpListen: {
    name: "IRONLEASE_ACME_HTTP_LISTEN",
    default: "0.0.0.0:80",
    meaning:
      "Where the service answers the authority's HTTP challenges, and nothing else. The authority asks at port 80 of each name. `[::]:80` listens on IPv6 as well.",
    read: read.listen,
  },
} as const;
