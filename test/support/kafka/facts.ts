// Facts that several writers append to one log, each exactly once, and a check of the log.
import { setTimeout as pause } from 'node:timers/promises'
import type { EventLog } from '../../../infra/base/log/event-log.ts'
import { decodeText, readAll } from '../log/log-entries.ts'

export type FactProgress =
  | { began: string }
  | { appended: string; after: string }
  | { failed: string }

type Facts = { shouldContinue: () => boolean; report: (progress: FactProgress) => void }

/** A failed append is not repeated, because the log may have stored it. The next fact follows. */
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

/** Problems of a log: lost, repeated, invented or misplaced facts, or a wrong order of one writer's facts. */
export const findFactFaults = async (
  log: EventLog,
  progress: readonly FactProgress[],
): Promise<string[]> => {
  const records = await readAll(log)
  const texts = records.map(decodeText)
  const positions = new Map(
    records.map((record) => [decodeText(record), String(record.offset + 1n)]),
  )
  const began = new Set(progress.flatMap((each) => ('began' in each ? [each.began] : [])))
  const order = new Map([...began].map((text, at) => [text, at]))
  const latest = new Map<string, number>()
  const faults = texts.flatMap((text, at) => {
    const [name = ''] = text.split(' ')
    const isLate = (order.get(text) ?? 0) < (latest.get(name) ?? -1)
    latest.set(name, order.get(text) ?? 0)
    return [
      ...(texts.indexOf(text) === at ? [] : [`doubled: ${text}`]),
      ...(began.has(text) ? [] : [`invented: ${text}`]),
      ...(isLate ? [`out of order: ${text}`] : []),
    ]
  })
  for (const each of progress) {
    if (!('appended' in each) || positions.get(each.appended) === each.after) continue
    faults.push(`lost or misplaced: ${each.appended}`)
  }
  return faults
}
