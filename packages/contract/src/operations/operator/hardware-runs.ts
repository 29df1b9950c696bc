import { Type } from "typebox";
import { operation } from "../../operation.ts";
import { id, nullableText, nullableTime, text, time, words } from "../../schemas.ts";
import { nullablePower } from "./machines.ts";
import { ofWork } from "./work.ts";

const step = words(["force", "status"], {
  description:
    "`force` cuts the power instead of asking the system to shut down. `status` reads the power state and changes nothing.",
});

const run = Type.Object(
  {
    id: id("hardwareRun"),
    state: words(["QUEUED", "RUNNING", "SUCCEEDED", "FAILED", "UNKNOWN"], {
      description:
        "FAILED: the machine's state is known. UNKNOWN: a command may have been carried out, so look at the machine. No run is ever resumed or repeated by itself.",
    }),
    step: nullableText("The requested step. Null for the request itself.", "status"),
    startedAt: nullableTime,
    endedAt: nullableTime,
    evidence: Type.Array(
      Type.Object(
        {
          at: time,
          request: text("What was sent, without secrets.", "GET /redfish/v1/Systems/1"),
          answer: text("The status or output.", "200"),
          observed: nullableText("What the answer says about the machine.", "power ON"),
        },
        { title: "Evidence" },
      ),
    ),
  },
  { title: "HardwareRun" },
);

const offer = Type.Object(
  {
    step: nullableText("The step to request. Null: request no step.", "status"),
    does: text("What the run does.", "Reads the power state and changes nothing."),
  },
  { title: "RunOffer" },
);

export const hardwareRuns = {
  runWork: operation({
    ...ofWork,
    method: "POST",
    path: "/operator/v1/work/{id}/run",
    summary: "Run a work item on its machine",
    description:
      "Queues a run on the machine's management controller for a SERVER_ACTION or RECLAIM that you have claimed. A machine has one run at a time. The run never completes the item: look at its evidence, and then complete or fail the item yourself.",
    idempotency: "replay",
    body: Type.Object({ step: Type.Optional(step) }, { additionalProperties: false }),
    answers: { 202: Type.Object({ id: id("hardwareRun") }) },
    errors: ["conflict", "role_forbidden"],
  }),
  listRuns: operation({
    ...ofWork,
    method: "GET",
    path: "/operator/v1/work/{id}/runs",
    summary: "List the runs of a work item",
    description: "The latest 20, newest first, with their evidence and with what a run can do now.",
    answers: {
      200: Type.Object(
        {
          runs: Type.Array(run),
          power: nullablePower,
          offers: Type.Array(offer),
          byHand: nullableText("Why it must be done by hand.", "IPMI has no virtual media."),
        },
        { title: "RunList" },
      ),
    },
    errors: [],
  }),
};
