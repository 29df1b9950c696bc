import { Type } from "typebox";
import { limits } from "./limits.ts";
import { text } from "./schemas.ts";

/** JSON Schema counts code points. */
export const newPassword = Type.String({
  minLength: limits.password.min,
  maxLength: limits.password.max,
  format: "password",
  message: `must be ${limits.password.min} to ${limits.password.max} characters`,
});

/**
 * A credential to check. Only its length is validated, so that a wrong guess and an impossible one
 * get the same answer.
 */
export const credential = (max: number, format?: string) =>
  Type.String({
    minLength: 1,
    maxLength: max,
    message: `must be 1 to ${max} characters`,
    ...(format === undefined ? {} : { format }),
  });

export const csrfToken = text(
  "Send it in the `x-csrf-token` header of every change in this session.",
);
