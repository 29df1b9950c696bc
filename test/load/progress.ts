/** Returns a logger that prefixes each line with the seconds since the start. */
export function startProgress(): (line: string) => void {
  const startedAt = performance.now();
  return (line) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`${seconds.padStart(5)} s  ${line}`);
  };
}
