import { createConsoleRouter } from "#app/create-console-router.ts";
import { mount } from "#app/mount.tsx";
import { createQueryClient } from "#data/query-client.ts";
import { accountRouteTree } from "./routes.tsx";

const queries = createQueryClient();
mount(createConsoleRouter(accountRouteTree, queries), queries);
