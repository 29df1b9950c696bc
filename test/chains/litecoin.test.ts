import { describe } from "node:test";
import { forEachEngine } from "#test/engines.ts";
import { creditedPayments } from "./credited-payments.ts";
import { instances } from "./instances.ts";
import { litecoin } from "./litecoin.ts";
import { nodes } from "./nodes.ts";
import { reorganisations } from "./reorganisations.ts";

const { name, skip } = litecoin;

forEachEngine((engine) => {
  describe(`deposits through ${name}`, { skip }, () => {
    creditedPayments(litecoin, engine);
    reorganisations(litecoin, engine);
    nodes(litecoin, engine);
    instances(litecoin, engine);
  });
});
