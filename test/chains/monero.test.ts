import { describe } from "node:test";
import { forSlowDaemon } from "#test/engines.ts";
import { creditedPayments } from "./credited-payments.ts";
import { instances } from "./instances.ts";
import { monero } from "./monero.ts";
import { nodes } from "./nodes.ts";
import { reorganisations } from "./reorganisations.ts";

const { name, skip } = monero;

forSlowDaemon("postgres", (engine) => {
  describe(`deposits through ${name}`, { skip }, () => {
    creditedPayments(monero, engine);
    reorganisations(monero, engine);
    nodes(monero, engine);
    instances(monero, engine);
  });
});
