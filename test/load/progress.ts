/** Says what a long run has come to, each line with the seconds since its start. */
export function startProgress(): (line: string) => void {
  const startedAt = performance.now();
  return (line) => {
    const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
    console.log(`${seconds.padStart(5)} s  ${line}`);
  };
}
