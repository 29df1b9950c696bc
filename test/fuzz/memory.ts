import { once } from "node:events";

/** What Node prints when it is started to be looked into. */
const inspector = /Debugger listening on (ws:\/\/\S+)/;

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** Bytes that a process still holds after a collection, asked of its inspector. */
export async function memoryInUse(output: string): Promise<number> {
  const address = inspector.exec(output)?.[1];
  if (address === undefined) throw new Error("the process was not started with --inspect");
  const socket = new WebSocket(address);
  await once(socket, "open");
  try {
    // What the first collection lets go of may be what the second one can collect.
    for (let round = 0; round < 3; round += 1) await ask(socket, "HeapProfiler.collectGarbage");
    const usage = (await ask(socket, "Runtime.getHeapUsage")) as HeapUsage;
    return usage.usedSize + (usage.backingStorageSize ?? 0);
  } finally {
    socket.close();
  }
}

let asked = 0;

async function ask(socket: WebSocket, method: string): Promise<unknown> {
  asked += 1;
  const id = asked;
  const answer = new Promise<unknown>((resolve, reject) => {
    const read = ({ data }: MessageEvent<string>) => {
      const message = JSON.parse(data) as { id?: number; result?: unknown; error?: unknown };
      if (message.id !== id) return;
      socket.removeEventListener("message", read);
      if (message.error === undefined) resolve(message.result);
      else reject(new Error(JSON.stringify(message.error)));
    };
    socket.addEventListener("message", read);
  });
  socket.send(JSON.stringify({ id, method }));
  return answer;
}
