// A node in memory that supports only some methods: any other is an unknown query path.
import type { AbciAnswer } from '../../../ingest/comet/endpoints/node.ts'

export type Answers = Record<string, (data: Uint8Array) => Uint8Array | AbciAnswer>

const UNKNOWN: AbciAnswer = {
  kind: 'refused',
  code: 6,
  codespace: 'sdk',
  log: 'unknown query path: unknown request',
}

/** A node that supports only these methods. */
export const nodeWith = (answers: Answers) => ({
  abciQuery: async ({ path, data }: { path: string; data: Uint8Array }): Promise<AbciAnswer> => {
    const answer = answers[path]?.(data) ?? UNKNOWN
    return answer instanceof Uint8Array ? { kind: 'value', value: answer } : answer
  },
})
