// What an operator asks of the history while Rollcall runs: a small file in the data directory, written by `rollcall history`.
import { readFile } from 'node:fs/promises'
import { writeFileAtomically } from '../../infra/base/runtime/atomic-file.ts'
import { parseStrictJson } from '../../infra/base/runtime/strict-json.ts'

/** `first`: proposals to read before all others. */
export type HistoryRequests = { isStopped: boolean; first: string[] }

/** A file that is missing or damaged asks for nothing. */
export async function readHistoryRequests(file: string | undefined): Promise<HistoryRequests> {
  const json = parseStrictJson(file ? await readFile(file, 'utf8').catch(() => '') : '')
  const { isStopped, first } = ((json.ok && json.value) || {}) as Partial<HistoryRequests>
  return { isStopped: isStopped === true, first: Array.isArray(first) ? first : [] }
}

export function writeHistoryRequests(file: string, requests: HistoryRequests): void {
  writeFileAtomically(file, `${JSON.stringify(requests)}\n`)
}
