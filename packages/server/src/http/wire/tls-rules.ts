/**
 * Only suites with forward secrecy and authenticated encryption, the strongest first. Node's own list
 * ends in everything that OpenSSL calls high, CBC and plain RSA among it. Whoever puts a certificate in
 * force, at the start or when it is renewed, must give these along: a new context begins with Node's.
 */
export const tlsRules = {
  minVersion: "TLSv1.2",
  honorCipherOrder: true,
  ciphers: [
    "TLS_AES_256_GCM_SHA384",
    "TLS_CHACHA20_POLY1305_SHA256",
    "TLS_AES_128_GCM_SHA256",
    "ECDHE-ECDSA-AES256-GCM-SHA384",
    "ECDHE-RSA-AES256-GCM-SHA384",
    "ECDHE-ECDSA-CHACHA20-POLY1305",
    "ECDHE-RSA-CHACHA20-POLY1305",
    "ECDHE-ECDSA-AES128-GCM-SHA256",
    "ECDHE-RSA-AES128-GCM-SHA256",
  ].join(":"),
} as const;
