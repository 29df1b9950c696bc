import { execFileSync } from "node:child_process";
import type { ComponentName } from "../../tools/component-table.ts";
import { readyComponent } from "./components.ts";

/** Runs a program of a component to its end, and returns what it printed. */
export type RunProgram = (parameters: readonly string[], input?: string) => string;

export async function programOf(component: ComponentName, name: string): Promise<RunProgram> {
  const { programs, environment } = await readyComponent(component);
  const env = { ...process.env, ...environment };
  return (parameters, input = "") =>
    execFileSync(programs[name] ?? "", parameters, {
      input,
      env,
      encoding: "utf8",
      stdio: ["pipe", "pipe", "pipe"],
    });
}
