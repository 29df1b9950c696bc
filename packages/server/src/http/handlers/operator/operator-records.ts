import { addOperator } from "#features/operators/add-operator.ts";
import { changeOperator } from "#features/operators/change-operator.ts";
import { endSession } from "#features/operators/end-session.ts";
import { listOperatorSessions } from "#features/operators/list-operator-sessions.ts";
import {
  listAssignees,
  listOperators,
  readOperator,
  type ListedOperator,
} from "#features/operators/list-operators.ts";
import { newOperatorPassword } from "#features/operators/operator-password.ts";
import { resetOperator } from "#features/operators/reset-operator.ts";
import type { Core } from "#kernel/core.ts";
import { isoTime } from "#kernel/iso-time.ts";
import { ok } from "#kernel/result.ts";
import type { Handlers } from "#http/bind.ts";
import { sessionOnWire } from "#http/handlers/sessions.ts";

type OperatorRecords =
  | "listOperators"
  | "listAssignees"
  | "addOperator"
  | "changeOperator"
  | "resetOperator"
  | "listOperatorSessions"
  | "endOperatorSession";

/** What an admin does with the operators. */
export function operatorRecordHandlers(core: Core): Handlers<OperatorRecords> {
  return {
    listOperators: async () => {
      const operators = await listOperators(core);
      return ok({ status: 200, body: { operators: operators.map(operatorOnWire) } });
    },
    listAssignees: async () => ok({ status: 200, body: { operators: await listAssignees(core) } }),
    addOperator: async ({ core, caller, body }) => {
      const password = newOperatorPassword(core.random);
      const added = await addOperator(core, caller, { ...body, password });
      if (!added.ok) return added;
      const operator = await stored(core, added.value.id);
      return ok({ status: 201, body: { ...operatorOnWire(operator), password } });
    },
    changeOperator: async ({ core, caller, body, parameters }) => {
      const result = await changeOperator(core, caller, parameters, body);
      if (!result.ok) return result;
      return ok({ status: 200, body: operatorOnWire(await stored(core, parameters.id)) });
    },
    resetOperator: async ({ core, caller, parameters }) => {
      const result = await resetOperator(core, caller, parameters);
      if (!result.ok) return result;
      const operator = operatorOnWire(await stored(core, parameters.id));
      return ok({ status: 200, body: { ...operator, password: result.value.password } });
    },
    listOperatorSessions: async ({ operator, parameters }) => {
      const result = await listOperatorSessions(core, parameters.id);
      if (!result.ok) return result;
      const sessions = result.value.map((session) =>
        sessionOnWire({ ...session, current: session.id === operator.sessionId }),
      );
      return ok({ status: 200, body: { sessions } });
    },
    endOperatorSession: async ({ core, caller, parameters: { id, sessionId } }) => {
      const result = await endSession(core, caller, { operatorId: id, sessionId });
      return result.ok ? ok({ status: 204, body: null }) : result;
    },
  };
}

/** Operators are never deleted. */
async function stored(core: Core, id: string): Promise<ListedOperator> {
  const operator = await readOperator(core, id);
  if (operator === undefined) throw new Error(`operator ${id} is missing`);
  return operator;
}

function operatorOnWire({ hasSecondFactor, allowedNetworks, ...operator }: ListedOperator) {
  const timeOf = (at: number | null) => (at === null ? null : isoTime(at));
  return {
    ...operator,
    createdAt: isoTime(operator.createdAt),
    disabledAt: timeOf(operator.disabledAt),
    lastSignInAt: timeOf(operator.lastSignInAt),
    lastSeenAt: timeOf(operator.lastSeenAt),
    secondFactor: hasSecondFactor ? ("on" as const) : ("off" as const),
    allowedNetworks: allowedNetworks && [...allowedNetworks],
  };
}
