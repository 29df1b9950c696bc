import type { Fetch } from "@ironlease/client";
import type { Screen } from "@ironlease/command-line";

const frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const everyMs = 80;
/** Faster responses need no spinner. */
const patienceMs = 200;
const clearLine = "\r\u001b[2K";

/** Shows a spinner on a terminal while a request is in progress. */
export function spinning(fetch: Fetch, screen: Screen, host: string): Fetch {
  if (screen.isTTY !== true) return fetch;
  return async (url, init) => {
    let frame = 0;
    const turn = () => {
      screen.write(`${clearLine}${frames[frame % frames.length] ?? ""} ${host}`);
      frame += 1;
    };
    let turning: NodeJS.Timeout | undefined;
    const starting = setTimeout(() => {
      turn();
      turning = setInterval(turn, everyMs);
    }, patienceMs);
    try {
      return await fetch(url, init);
    } finally {
      clearTimeout(starting);
      clearInterval(turning);
      if (frame > 0) screen.write(clearLine);
    }
  };
}
