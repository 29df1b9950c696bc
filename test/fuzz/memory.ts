import { once } from "node:events";

/** Node prints this line when it is started with --inspect. */
const inspector = /Debugger listening on (ws:\/\/\S+)/;

interface HeapUsage {
  readonly usedSize: number;
  readonly embedderHeapUsedSize?: number;
  readonly backingStorageSize?: number;
}

/** Bytes that a process uses after a garbage collection, read through its inspector. */
export async function memoryInUse(output: string): Promise<number> {
  const address = inspector.exec(output)?.[1];
  if (address === undefined) throw new Error("The process was not started with --inspect.");
  const socket = new WebSocket(address);
  await once(socket, "open");
  try {
    // One collection may run finalizers that release objects for the next one.
    for (let round = 0; round < 3; round += 1) await call(socket, "HeapProfiler.collectGarbage");
    const usage = (await call(socket, "Runtime.getHeapUsage")) as HeapUsage;
    return usage.usedSize + (usage.backingStorageSize ?? 0);
  } finally {
    socket.close();
  }
}

let calls = 0;

async function call(socket: WebSocket, method: string): Promise<unknown> {
  calls += 1;
  const id = calls;
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
