import { Type, type Static } from "typebox";
import { words } from "./schemas.ts";

/** The file that `IRONLEASE_DNS` names. The key is in a file that it names, never in it. */
export const dnsFile = Type.Object(
  {
    kind: words(["powerdns"]),
    apiUrl: Type.String({
      pattern: "^https?://[^\\s]+$",
      maxLength: 2_048,
      description: "The HTTP API of PowerDNS, such as http://127.0.0.1:8081.",
      message: "must be an http or https address",
    }),
    apiKeyFile: Type.String({
      minLength: 1,
      maxLength: 4_096,
      description: "Path of the file that holds the API key. Relative to this file.",
      message: "must be the path of a file",
    }),
    serverId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: "The id of the server in the API. By default, localhost.",
        message: "must be the id of a server, such as localhost",
      }),
    ),
    nameServers: Type.Array(Type.String({ maxLength: 64, message: "must be an IP address" }), {
      minItems: 1,
      maxItems: 10,
      description: "All authoritative name servers. They are asked after each change.",
      message: "must list 1 to 10 name servers",
    }),
    createZones: Type.Optional(
      Type.Boolean({
        description: "Whether to create reverse zones that do not exist. By default, false.",
        message: "must be true or false",
      }),
    ),
    zoneNameServers: Type.Optional(
      Type.Array(
        Type.String({
          pattern: "^(?=.{3,254}$)[A-Za-z0-9-]{1,63}(?:\\.[A-Za-z0-9-]{1,63})+\\.?$",
          message: "must be a host name such as ns1.example",
        }),
        {
          maxItems: 10,
          description: "The NS records of new zones. Needed with createZones.",
          message: "must list at most 10 host names",
        },
      ),
    ),
  },
  { additionalProperties: false, title: "DnsFile" },
);

export type DnsFile = Static<typeof dnsFile>;
