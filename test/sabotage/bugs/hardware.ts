import type { PlantedBug } from "../planted-bug.ts";

const server = "packages/server/src";
const redfishRuns = "test/hardware/redfish-runs.test.ts";
const runRules = "test/hardware/run-rules.test.ts";

/** Runs on the management controllers of machines. */
export const hardwareBugs: readonly PlantedBug[] = [
  {
    name: "unknown-power-is-off",
    thought: "A machine that is not on is off.",
    file: `${server}/adapters/controller-redfish/redfish-controller.ts`,
    find: '  return state === "Off" ? "OFF" : undefined;\n',
    replace: '  return "OFF";\n',
    tests: [redfishRuns],
  },
  {
    name: "on-before-off-is-seen",
    thought: "The controller has accepted the command, so the machine is off.",
    file: `${server}/features/hardware/programs.ts`,
    find: '    await expect(machine, "OFF", machine.times.powerMs, "");\n',
    replace: "",
    tests: [redfishRuns],
  },
  {
    name: "lost-answer-is-a-failure",
    thought: "A command without an answer was not carried out.",
    file: `${server}/features/hardware/perform-run.ts`,
    find: '    state: machine.isStateKnown() ? "FAILED" : "UNKNOWN",\n',
    replace: '    state: "FAILED",\n',
    tests: [redfishRuns],
  },
  {
    name: "certificate-checked-after-the-request",
    thought: "The pinned certificate is a detail of the log.",
    file: `${server}/adapters/controller-redfish/redfish-http.ts`,
    find: "  if (isPinned && seen !== certificateSha256) {",
    replace: '  if (isPinned && seen === "") {',
    tests: [redfishRuns],
  },
  {
    name: "first-of-several-systems",
    thought: "A controller manages one system.",
    file: `${server}/adapters/controller-redfish/redfish-controller.ts`,
    find: "  if (count > 1) {",
    replace: "  if (count > 8) {",
    tests: [redfishRuns],
  },
  {
    name: "item-ends-during-its-run",
    thought: "The operator knows that the run is about to end.",
    file: `${server}/features/work/lease.ts`,
    find: "  const idle = machineId === null ? ok() : await refuseDuringRun(job.tx, machineId);\n",
    replace: '  const idle = machineId !== "" ? ok() : await refuseDuringRun(job.tx, machineId);\n',
    tests: [runRules],
  },
  {
    name: "lost-run-is-a-failure",
    thought: "A run whose instance crashed has done nothing.",
    file: `${server}/kernel/hardware-runs.ts`,
    find: '    else await endRun(scope, id, "UNKNOWN", lost);\n',
    replace: '    else await endRun(scope, id, "FAILED", lost);\n',
    tests: [runRules],
  },
  {
    name: "run-without-its-claim",
    thought: "The claim was checked when the run was queued.",
    file: `${server}/features/hardware/run-timer.ts`,
    find: '  return held === undefined ? "The claim ended before the run began." : undefined;\n',
    replace:
      '  return held?.detail === "" ? "The claim ended before the run began." : undefined;\n',
    tests: [runRules],
  },
  {
    name: "controllers-imported-by-support",
    thought: "Operators who may add machines may add them with their controllers.",
    file: `${server}/features/machines/add-machines.ts`,
    find: '    if (controllers.length > 0 && "operator" in call && !hasRole(call.operator, "admin")) {',
    replace:
      '    if (controllers.length > 0 && "operator" in call && !hasRole(call.operator, "support")) {',
    tests: [`${server}/features/machines/add-controllers.test.ts`],
  },
];
