// Compares the data of one event in the log and on the chain, field by field. Pure.
import { isDeepStrictEqual } from 'node:util'

type Data = Readonly<Record<string, unknown>>

export type PartsCompared = {
  equal: number
  /** Descriptions of the differences. */
  different: string[]
  notCompared: { part: string; reason: string }[]
}

/** Fields from the state of the chain, each with the field for the reason if it is unavailable. */
const REASON_OF: ReadonlyMap<string, string> = new Map([
  ['proposal', 'proposalReason'],
  ['messages', 'proposalReason'],
  ['delegations', 'delegationsReason'],
  ['finalTally', 'unavailableReason'],
  ['bondedTokens', 'unavailableReason'],
  ['params', 'unavailableReason'],
])

/** Fields that may be partial: without state, a proposal is read from its transaction, which lacks some members. */
const PARTIAL_WITH_REASON: ReadonlySet<string> = new Set(['proposal', 'messages'])

const SHOWN = 120
const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? 'nothing'
  return text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text
}

const findMissingReason = (part: string, side: Data): string | undefined => {
  const name = REASON_OF.get(part)
  if (name === undefined) return undefined
  const reason = side[name]
  const isPartial = PARTIAL_WITH_REASON.has(part) && typeof reason === 'string'
  if (side[part] !== null && !isPartial) return undefined
  return typeof reason === 'string' ? reason : 'no reason is given'
}

export const compareData = (logged: Data, onChain: Data): PartsCompared => {
  const result: PartsCompared = { equal: 0, different: [], notCompared: [] }
  const parts = new Set([...Object.keys(logged), ...Object.keys(onChain)])
  const reasons = new Set(REASON_OF.values())
  for (const part of parts) {
    // A reason is the message of a node, which differs between nodes.
    if (reasons.has(part)) continue
    if (isDeepStrictEqual(logged[part], onChain[part])) {
      result.equal++
      continue
    }
    const nodeLacks = findMissingReason(part, onChain)
    const logLacks = findMissingReason(part, logged)
    if (nodeLacks !== undefined) result.notCompared.push({ part, reason: nodeLacks })
    else if (logLacks !== undefined) {
      result.notCompared.push({ part, reason: `the log has none: ${logLacks}` })
    } else {
      const [inLog, now] = [shown(logged[part]), shown(onChain[part])]
      result.different.push(`${part} is ${inLog} in the log, ${now} on the chain`)
    }
  }
  return result
}
