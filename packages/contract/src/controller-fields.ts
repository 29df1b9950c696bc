import { Type } from "typebox";
import { credential } from "./credential-fields.ts";
import { words } from "./schemas.ts";

/** A machine's management controller, as requests set it. */
export const controllerFields = {
  driver: words(["redfish", "ipmi"], {
    description: "`redfish` does everything a run can do, `ipmi` power and network boot.",
  }),
  address: Type.String({
    maxLength: 64,
    description: "`https://IP:PORT` for Redfish, `IP:PORT` for IPMI.",
    message: "must be an IP address and a port",
  }),
  username: Type.String({
    minLength: 1,
    maxLength: 64,
    pattern: "^[!-~]*$",
    message: "must be 1 to 64 printable ASCII characters without spaces",
  }),
  credential: Type.String({
    ...credential(128, "password"),
    pattern: "^[ -~]*$",
    message: "must be 1 to 128 printable ASCII characters",
  }),
  certificateSha256: Type.Optional(
    Type.String({
      pattern: "^(?:[0-9A-Fa-f]{64}|[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){31})$",
      description:
        "Only with `redfish`: the certificate's SHA-256. Without it, a trusted authority must have issued the certificate for the address.",
      message: "must be a SHA-256 in hex, with or without colons",
    }),
  ),
};
