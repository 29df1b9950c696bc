import type { Core } from "../../kernel/core.ts";
import type { Handlers } from "../bind.ts";
import { accessHandlers } from "./access.ts";
import { keyHandlers } from "./keys.ts";
import { serviceHandlers } from "./service.ts";
import { sessionHandlers } from "./sessions.ts";

/** Every operation's handler. The type says so, and the start checks it again. */
export function createHandlers(core: Core, version: string): Handlers {
  return {
    ...accessHandlers(core),
    ...sessionHandlers(core),
    ...keyHandlers(core),
    ...serviceHandlers(core, version),
  };
}
