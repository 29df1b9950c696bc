/** How a new password is printed. Scripts read the first line. */
export function passwordLines(password: string): readonly string[] {
  return [
    `password: ${password}`,
    "This password is shown only once. Change it after the first sign-in.",
  ];
}
