import type { QueryConfig } from "pg";
import type { Queryable } from "#adapters/postgres/connection.ts";
import type { Reader, ReadPool } from "#adapters/postgres/read-pool.ts";

/** A deeper pipeline would save little, and more reads would wait behind a slow one. */
const maxDepth = 8;

interface Pipeline {
  readonly reader: Promise<Reader>;
  depth: number;
}

/** Sends single reads on a connection before the earlier ones are answered (ADR 16). */
export function pipelinedReads(pool: ReadPool): Queryable {
  return new PipelinedReads(pool);
}

/**
 * Pipelining saves both ends most of the cost of a round trip. A connection returns to the pool as soon as its
 * pipeline is empty.
 */
class PipelinedReads implements Queryable {
  readonly #pool: ReadPool;
  readonly #pipelines = new Set<Pipeline>();

  /** Must be the only user of the pool, so that a new pipeline never waits for a connection. */
  constructor(pool: ReadPool) {
    this.#pool = pool;
  }

  async query(query: QueryConfig): ReturnType<Queryable["query"]> {
    const pipeline = this.#pipeline();
    pipeline.depth += 1;
    let reader: Reader | undefined;
    try {
      reader = await pipeline.reader;
      return await reader.query(query);
    } finally {
      pipeline.depth -= 1;
      // Send no further reads on a broken connection. Those already sent fail on their own.
      const isUsable = reader?.isBroken === false;
      if (pipeline.depth === 0 || !isUsable) this.#pipelines.delete(pipeline);
      if (pipeline.depth === 0) reader?.release();
    }
  }

  #pipeline(): Pipeline {
    let shortest: Pipeline | undefined;
    for (const pipeline of this.#pipelines) {
      if (pipeline.depth < maxDepth) return pipeline;
      if (shortest === undefined || pipeline.depth < shortest.depth) shortest = pipeline;
    }
    if (shortest !== undefined && this.#pipelines.size >= this.#pool.size) return shortest;
    const pipeline = { reader: this.#pool.acquire(), depth: 0 };
    this.#pipelines.add(pipeline);
    return pipeline;
  }
}
