/**
 * Lets so many pieces of work with one name run at once; the others wait for their turn. A line that
 * has grown too long lets everybody through: it only spares work, and decides nothing.
 */
export type InTurn = <T>(name: string, atOnce: number, work: () => Promise<T>) => Promise<T>;

const maxWaiting = 1_000;

interface Line {
  running: number;
  readonly waiting: (() => void)[];
}

export function createTurns(): InTurn {
  const lines = new Map<string, Line>();
  return async (name, atOnce, work) => {
    const line = lines.get(name) ?? { running: 0, waiting: [] };
    lines.set(name, line);
    if (line.waiting.length >= maxWaiting) return work();
    if (line.running >= atOnce) await new Promise<void>((resolve) => line.waiting.push(resolve));
    else line.running += 1;
    try {
      return await work();
    } finally {
      // The place is handed on to the next in line, or given up.
      const next = line.waiting.shift();
      if (next !== undefined) next();
      else {
        line.running -= 1;
        if (line.running === 0) lines.delete(name);
      }
    }
  };
}
