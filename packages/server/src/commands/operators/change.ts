import { disableOperator } from "../../features/operators/disable-operator.ts";
import { enableOperator } from "../../features/operators/enable-operator.ts";
import { resetOperator } from "../../features/operators/reset-operator.ts";
import { changing, said, type Command } from "../change-by-name.ts";

/** Shuts an operator out at once. */
export const operatorDisable: Command = changing("operator disable", async (core, name) => {
  const result = await disableOperator(core, name);
  return said(result, ({ username, isChanged }) => [
    isChanged
      ? `${username} is disabled: every session has ended, and no sign-in works.`
      : `${username} is disabled already.`,
  ]);
});

/** Lets an operator in again. */
export const operatorEnable: Command = changing("operator enable", async (core, name) => {
  const result = await enableOperator(core, name);
  return said(result, ({ username, isChanged }) => [
    isChanged
      ? `${username} can sign in again, with the same password and second factor as before.`
      : `${username} is not disabled.`,
  ]);
});

/** Gives an operator a new password, which is printed this once, and takes the second factor away. */
export const operatorReset: Command = changing("operator reset", async (core, name) => {
  const result = await resetOperator(core, name);
  return said(result, ({ username, password, isDisabled }) => [
    `Reset ${username}: every session has ended, and the second factor is to be set up anew.`,
    `password: ${password}`,
    "It is shown this once. Whoever gets it should change it after the first sign-in.",
    ...(isDisabled ? [`${username} stays disabled: ironleased operator enable ${username}.`] : []),
  ]);
});
