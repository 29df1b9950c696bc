/** RSA-OAEP's label, which ties a wrapped key to age's format. */
export const oaepLabel = new TextEncoder().encode("age-encryption.org/v1/ssh-rsa");
