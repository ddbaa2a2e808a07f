// Asks other endpoints whether an entry of the state is absent, because an absent proposal has ended: one endpoint can be wrong.
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { AbciAnswer, ChainNode } from '../comet/endpoints/node.ts'
import { type Answer, isAbsent, isKnown, unavailable } from './answer.ts'

type Node = Pick<ChainNode, 'abciQuery' | 'refuse'>

/** Reads the entry. It may need more than one query. */
type Read<Value> = (node: Node) => Promise<Answer<Value>>

type Opinion<Value> = { answer: Answer<Value>; from: AbciAnswer }

/** So many endpoints decide that agree. */
const AGREE = 2
const MAX_OPINIONS = 8

/** All queries go to endpoints on other hosts than those of the opinions. */
const createWitness = (node: Node, besides: readonly AbciAnswer[]) => {
  let last: AbciAnswer | undefined
  const abciQuery: Node['abciQuery'] = async (request) => {
    last = await node.abciQuery(request, { besides, after: last })
    return last
  }
  return { node: { abciQuery }, getLast: () => last }
}

/** Undefined if no other endpoint answers. */
const readOpinion = async <Value>(
  node: Node,
  read: Read<Value>,
  before: readonly AbciAnswer[],
): Promise<Opinion<Value> | undefined> => {
  const witness = createWitness(node, before)
  try {
    const answer = await read(witness.node)
    const from = witness.getLast()
    return from && from.kind !== 'pruned' ? { answer, from } : undefined
  } catch (error) {
    if (!(error instanceof AppError) || hasCode(error, 'ABORTED')) throw error
    return undefined
  }
}

const blame = (node: Node, outvoted: readonly AbciAnswer[], reason: string): void => {
  for (const answer of outvoted) node.refuse?.([answer], reason)
}

/**
 * The answer of two endpoints that agree. Without two, an absence is unconfirmed, or contradicted if another endpoint has
 * the entry. `what` names the entry.
 */
export const confirmAbsence = async <Value>(
  node: Node,
  read: Read<Value>,
  { first, what }: { first: Answer<Value>; what: string },
): Promise<Answer<Value>> => {
  if (isKnown(first) || !isAbsent(first) || !first.failure) return first
  const all: AbciAnswer[] = [first.failure]
  const absent: AbciAnswer[] = [first.failure]
  const present: Opinion<Value>[] = []
  const isUndecided = () => absent.length < AGREE && present.length < AGREE
  while (isUndecided() && all.length < MAX_OPINIONS && node.refuse?.(all, null)) {
    const opinion = await readOpinion(node, read, all)
    if (!opinion) break
    all.push(opinion.from)
    if (isKnown(opinion.answer)) present.push(opinion)
    else if (isAbsent(opinion.answer)) absent.push(opinion.from)
  }
  const [other] = present
  if (absent.length >= AGREE) {
    const outvoted = present.map(({ from }) => from)
    blame(node, outvoted, `it has ${what}, which other endpoints do not have`)
    return { ...first, absence: 'confirmed' }
  }
  if (!other) return { ...first, absence: 'unconfirmed' }
  if (present.length >= AGREE) {
    blame(node, absent, `it does not have ${what}, which other endpoints have`)
    return other.answer
  }
  const reason = `the endpoints disagree: one has ${what}, another one does not`
  return { ...unavailable(reason), absence: 'contradicted' }
}
