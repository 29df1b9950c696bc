#!/usr/bin/env node
// Plain JavaScript, so that any Node can read it: it finds the pinned Node and runs the program there.
import { runOnPinnedNode } from "@ironlease/launcher";

await runOnPinnedNode(new URL("../src/main.ts", import.meta.url));
