// Asks the operators' listener of this very container whether the process lives: exit code 0 or 1.
// Plain Node, since the image has no curl; where to ask is read from the service's own settings.
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";

const {
  IRONLEASE_OPERATOR_LISTEN: listen = "127.0.0.1:8444",
  IRONLEASE_OPERATOR_ORIGIN: origins,
  IRONLEASE_TLS: tls = "self-signed",
} = process.env;

if (listen === "off") process.exit(0);

const colon = listen.lastIndexOf(":");
const [address, port] = [listen.slice(0, colon).replaceAll(/[[\]]/g, ""), listen.slice(colon + 1)];
// Listening everywhere includes here.
const host = { "0.0.0.0": "127.0.0.1", "::": "::1" }[address] ?? address;
// The service answers only to its own names.
const name = origins === undefined ? `localhost:${port}` : new URL(origins.split(",")[0]).host;
const request = tls === "off" ? requestHttp : requestHttps;
// The question stays in this container and the answer is no secret: whose certificate makes no odds.
const options = {
  host,
  port,
  path: "/healthz",
  headers: { host: name },
  rejectUnauthorized: false,
};

request({ ...options, timeout: 4000 }, (response) =>
  process.exit(response.statusCode === 200 ? 0 : 1),
)
  .on("timeout", () => process.exit(1))
  .on("error", () => process.exit(1))
  .end();
