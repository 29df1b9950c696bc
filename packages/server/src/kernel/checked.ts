/**
 * What reading one field gives: its normalized value, or one phrase that fits after the field's
 * name and says what to do. It knows nothing of HTTP, so that anything that reads text can use it.
 */
export type Checked<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string };

export function accepted<T>(value: T): Checked<T> {
  return { ok: true, value };
}

export function rejected(message: string): Checked<never> {
  return { ok: false, message };
}
