// Facts that several writers append to one log, each once and never again, and what of them the log then holds.
import { setTimeout as pause } from 'node:timers/promises'
import type { EventLog } from '../../../infra/log/event-log.ts'
import { decodeText } from '../log/event-log-contract.ts'

export type FactProgress =
  | { began: string }
  | { appended: string; after: string }
  | { failed: string }

type Facts = { shouldContinue: () => boolean; report: (progress: FactProgress) => void }

/** A fact that fails is not tried again: whether it is there is the log's to know, and the next one comes. */
export const appendFacts = async (
  log: EventLog,
  name: string,
  { shouldContinue, report }: Facts,
) => {
  for (let at = 0; shouldContinue(); at++) {
    const text = `${name} ${at}`
    report({ began: text })
    const timeMs = Date.now()
    const entry = { height: Math.floor(timeMs / 1_000), timeMs, value: Buffer.from(text) }
    try {
      report({ appended: text, after: String(await log.append([entry])) })
    } catch {
      report({ failed: text })
      await pause(50)
    }
  }
}

/** What is wrong with a log: facts that are lost, doubled, made up, misplaced, or out of their writer's order. */
export const findFactFaults = async (
  log: EventLog,
  progress: readonly FactProgress[],
): Promise<string[]> => {
  const texts: string[] = []
  const positions = new Map<string, string>()
  for (let from = 0n; ; ) {
    const records = await log.read(from, { maxRecords: 500, maxBytes: 2 ** 20 })
    for (const record of records) {
      texts.push(decodeText(record))
      positions.set(decodeText(record), String(record.offset + 1n))
      from = record.offset + 1n
    }
    if (records.length === 0) break
  }
  const began = new Set(progress.flatMap((each) => ('began' in each ? [each.began] : [])))
  const order = new Map([...began].map((text, at) => [text, at]))
  const latest = new Map<string, number>()
  const faults = texts.flatMap((text, at) => {
    const [name = ''] = text.split(' ')
    const isLate = (order.get(text) ?? 0) < (latest.get(name) ?? -1)
    latest.set(name, order.get(text) ?? 0)
    return [
      ...(texts.indexOf(text) === at ? [] : [`doubled: ${text}`]),
      ...(began.has(text) ? [] : [`made up: ${text}`]),
      ...(isLate ? [`out of order: ${text}`] : []),
    ]
  })
  for (const each of progress) {
    if (!('appended' in each) || positions.get(each.appended) === each.after) continue
    faults.push(`lost or misplaced: ${each.appended}`)
  }
  return faults
}
