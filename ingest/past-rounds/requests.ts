// What an operator asks of the history while Rollcall runs: a small file in the data directory, written by `rollcall history`.
import { readFile } from 'node:fs/promises'
import { Type } from 'typebox'
import { Value } from 'typebox/value'
import { writeFileAtomically } from '../../infra/base/runtime/atomic-file.ts'
import { parseStrictJson } from '../../infra/base/runtime/strict-json.ts'

const HistoryRequests = Type.Object({
  isStopped: Type.Boolean(),
  /** Proposals to read before all others. */
  first: Type.Array(Type.String({ pattern: '^[0-9]{1,20}$' }), { maxItems: 100 }),
})

export type HistoryRequests = { isStopped: boolean; first: string[] }

const NONE: HistoryRequests = { isStopped: false, first: [] }

/** A file that is missing or damaged asks for nothing. */
export const readHistoryRequests = async (file: string | undefined): Promise<HistoryRequests> => {
  if (file === undefined) return NONE
  const json = parseStrictJson(await readFile(file, 'utf8').catch(() => ''))
  return json.ok && Value.Check(HistoryRequests, json.value) ? json.value : NONE
}

export const writeHistoryRequests = (file: string, requests: HistoryRequests): void =>
  writeFileAtomically(file, `${JSON.stringify(requests)}\n`)
