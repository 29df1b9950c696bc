/** Unguessable bytes. A port, so that a simulation can replay a seed. */
export interface Random {
  bytes(count: number): Buffer;
}
