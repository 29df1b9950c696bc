import { run } from "./commands/run.ts";

process.exit(await run(process.argv.slice(2), process));
