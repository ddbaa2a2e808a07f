// Reads the parameters of x/gov at a height, of any version of the SDK.
import type { ChainNode } from '../comet/node.ts'
import { InvalidDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { type Answer, isKnown, known, unavailable, valueOrNull, withoutFailure } from './answer.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import { type KindParams, toKinds } from './kind-params.ts'
import { toCoins } from './proposal-content.ts'
import { ask, isUnknownMethod } from './query.ts'

type Node = Pick<ChainNode, 'abciQuery'>

/** A part that the node refuses is absent: the other parameters remain. */
const joinParts = async <Response>(
  tally: Response,
  query: (paramsType: string) => Promise<Answer<Response>>,
  read: (parts: v1.ParamsParts<Response>) => GovParams,
): Promise<Answer<GovParams>> => {
  const [voting, deposit] = await Promise.all([query('voting'), query('deposit')])
  for (const part of [voting, deposit]) {
    if (!isKnown(part) && part.failure?.kind !== 'refused') return withoutFailure(part)
  }
  const parts = { tally, voting: valueOrNull(voting), deposit: valueOrNull(deposit) }
  return present(() => read(parts))
}

/** A limit that the chain does not have is null. An invalid one makes all parameters unknown. */
const present = (read: () => GovParams): Answer<GovParams> => {
  try {
    const params = read()
    const { quorum, threshold, vetoThreshold, votingPeriodSeconds, minDeposit } = params
    const isEmpty =
      [quorum, threshold, vetoThreshold, votingPeriodSeconds].every((value) => value === null) &&
      minDeposit.length === 0
    return isEmpty ? unavailable('the response of the node has no parameters') : known(params)
  } catch (error) {
    if (!(error instanceof InvalidDecimal)) throw error
    return unavailable(`the response of the node has an invalid rate: ${error.message}`)
  }
}

/** A chain that computes its quorums or its minimum deposit has no such parameter. */
const withComputed = async (
  node: Node,
  height: number,
  { params, kindParams }: { params: GovParams; kindParams: KindParams | undefined },
): Promise<GovParams> => {
  const { quorum: fixed, minDeposit, threshold } = params
  const [answer, computedDeposit] = await Promise.all([
    fixed === null ? ask(node, v1.quorumsMethod, { height }) : undefined,
    minDeposit.length === 0 ? ask(node, v1.minDepositMethod, { height }) : known(minDeposit),
  ])
  const computed = answer ? valueOrNull(answer) : null
  const quorum = fixed ?? computed?.quorum ?? null
  return {
    ...params,
    quorum,
    minDeposit: toCoins(valueOrNull(computedDeposit) ?? []),
    ...(kindParams ? { kinds: toKinds(kindParams, { quorum, threshold }, computed) } : {}),
  }
}

/** Whether the chain computes its quorums: each tally changes them. */
export const computesQuorumAt = async (node: Node, height: number): Promise<Answer<boolean>> => {
  const answer = await ask(node, v1.quorumsMethod, { height })
  return isKnown(answer) || isUnknownMethod(answer) ? known(isKnown(answer)) : answer
}

export const govParamsAt = async (node: Node, height: number): Promise<Answer<GovParams>> => {
  const modern = (paramsType: string) => ask(node, v1.paramsMethod, { height, paramsType })
  const first = await modern('tallying')
  if (isKnown(first)) {
    const { params, kindParams } = first.value
    // SDK 0.47 and later: one query returns all parameters.
    if (params) {
      const read = present(() => v1.readParams(params))
      if (!isKnown(read)) return read
      return known(await withComputed(node, height, { params: read.value, kindParams }))
    }
    return await joinParts(first.value, modern, v1.readSplitParams)
  }
  if (!isUnknownMethod(first)) return withoutFailure(first)
  const legacy = (paramsType: string) => ask(node, v1beta1.paramsMethod, { height, paramsType })
  const tally = await legacy('tallying')
  if (!isKnown(tally)) return withoutFailure(tally)
  return await joinParts(tally.value, legacy, v1beta1.readParams)
}
