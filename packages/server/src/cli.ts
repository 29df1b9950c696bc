import { run } from "./commands/run.ts";

// Without top-level `await`, so that it compiles to CommonJS.
void run(process.argv.slice(2), process).then((code) => process.exit(code));
