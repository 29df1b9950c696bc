import type { Io } from "#io.ts";

/** Whether a browser opened the address. A machine without a screen has none. */
export async function openInBrowser(url: string, io: Io): Promise<boolean> {
  const { env, stdout } = io;
  const { platform } = process;
  const hasScreen =
    platform !== "linux" ||
    [env["DISPLAY"], env["WAYLAND_DISPLAY"]].some((name) => name !== undefined && name !== "");
  if (!hasScreen || stdout.isTTY !== true) return false;
  const openers: Readonly<Record<string, readonly [string, ...string[]]>> = {
    darwin: ["open"],
    win32: ["rundll32", "url.dll,FileProtocolHandler"],
  };
  const [program, ...args] = openers[platform] ?? ["xdg-open"];
  try {
    return (await io.start(program, [...args, url])) === 0;
  } catch {
    return false;
  }
}
