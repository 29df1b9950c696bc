/**
 * The result of reading one field: its normalized value, or a phrase that follows the field's name and says what to
 * do. Independent of HTTP, so that any reader of text can use it.
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
