import { neededComponents, type ComponentName } from "../../tools/component-table.ts";
import {
  isMissing,
  prepareComponents,
  type ComponentPlace,
  type ComponentState,
} from "../../tools/components.ts";
import type { ReadyComponent } from "../../tools/find-component.ts";

type States = Readonly<Record<string, ComponentState>>;

const variable = "IRONLEASE_TEST_COMPONENTS";

/**
 * Prepares all components, and leaves the result in the environment, which test files inherit. In CI a
 * missing component fails the run, because skipped tests would go unnoticed there.
 */
export async function prepareTestComponents(
  place: Partial<ComponentPlace> = {},
  environment = process.env,
): Promise<void> {
  const states: States = await prepareComponents(neededComponents, place);
  if (environment["CI"] === "true") {
    const missing = Object.values(states).filter(isMissing);
    if (missing.length > 0) throw new Error(missing.map((state) => state.missing).join("\n\n"));
  }
  environment[variable] = JSON.stringify(states);
}

/** For the `skip` option of a test: false, or why the component is missing and what to install. */
export async function skipWithout(
  name: ComponentName,
  environment = process.env,
): Promise<string | false> {
  const state = await stateOf(name, environment);
  return isMissing(state) ? state.missing : false;
}

export async function readyComponent(name: ComponentName): Promise<ReadyComponent> {
  const state = await stateOf(name, process.env);
  if (isMissing(state)) throw new Error(state.missing);
  return state;
}

/** A test file that runs without the global setup prepares the components itself. */
async function stateOf(
  name: ComponentName,
  environment: NodeJS.ProcessEnv,
): Promise<ComponentState> {
  if (environment[variable] === undefined) await prepareTestComponents({}, environment);
  const state = (JSON.parse(environment[variable] ?? "{}") as States)[name];
  if (state === undefined) throw new Error(`Tests on this machine do not need ${name}.`);
  return state;
}
