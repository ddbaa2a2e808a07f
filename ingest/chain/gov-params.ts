// Reads the parameters of x/gov at a height, of any version of the SDK.
import type { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { InvalidDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { type Answer, isKnown, known, unavailable, valueOrNull, withoutFailure } from './answer.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import { type KindParams, toKinds, toLimit } from './kind-params.ts'
import { decodeLegacyParams, type LegacyParams, readLimits } from './legacy-params.ts'
import { toCoins } from './proposal-content.ts'
import { ask, isUnknownMethod } from './query.ts'
import { toSeconds } from './time.ts'

type Node = Pick<ChainNode, 'abciQuery'>

const NO_PARTS = decodeLegacyParams(new Uint8Array())

/** SDK 0.47 and later. */
const readParams = (params: Params): GovParams => ({
  quorum: toLimit(params.quorum),
  threshold: toLimit(params.threshold),
  vetoThreshold: toLimit(params.vetoThreshold),
  expeditedThreshold: toLimit(params.expeditedThreshold),
  votingPeriodSeconds: toSeconds(params.votingPeriod),
  expeditedVotingPeriodSeconds: toSeconds(params.expeditedVotingPeriod),
  maxDepositPeriodSeconds: toSeconds(params.maxDepositPeriod),
  minDeposit: toCoins(params.minDeposit),
  expeditedMinDeposit: toCoins(params.expeditedMinDeposit),
  burnVoteQuorum: params.burnVoteQuorum,
  burnVoteVeto: params.burnVoteVeto,
})

/** A part that the node refuses is absent: the other parameters remain. There were no burn parameters yet. */
const joinParts = async (
  node: Node,
  { version, height, limits }: { version: string; height: number; limits: LegacyParams['limits'] },
  query: (paramsType: string) => Promise<Answer<LegacyParams>>,
): Promise<Answer<GovParams>> => {
  const [voting, deposit] = await Promise.all([query('voting'), query('deposit')])
  for (const part of [voting, deposit]) {
    if (!isKnown(part) && part.failure?.kind !== 'refused') return withoutFailure(part)
  }
  return await present(async () => ({
    ...(await readLimits(node, { version, height, limits })),
    ...(valueOrNull(voting) ?? NO_PARTS).periods,
    ...(valueOrNull(deposit) ?? NO_PARTS).deposits,
    burnVoteQuorum: null,
    burnVoteVeto: null,
  }))
}

/** A limit that the chain does not have is null. An invalid one makes all parameters unknown. */
const present = async (read: () => GovParams | Promise<GovParams>): Promise<Answer<GovParams>> => {
  try {
    const params = await read()
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

/** The queries of either version. */
export const PARAMS_PATHS = [v1.paramsMethod.path, v1beta1.paramsMethod.path]

/** A part of the parameters, of either version: a chain that has it has x/gov. */
export const askParams = async (node: Node, height: number): Promise<Answer<unknown>> => {
  const request = { height, paramsType: 'tallying' }
  const modern = await ask(node, v1.paramsMethod, request)
  return isUnknownMethod(modern) ? await ask(node, v1beta1.paramsMethod, request) : modern
}

export const govParamsAt = async (node: Node, height: number): Promise<Answer<GovParams>> => {
  const modern = (paramsType: string) => ask(node, v1.paramsMethod, { height, paramsType })
  const first = await modern('tallying')
  if (isKnown(first)) {
    const { params, kindParams, parts } = first.value
    // SDK 0.47 and later: one query returns all parameters.
    if (params) {
      const read = await present(() => readParams(params))
      if (!isKnown(read)) return read
      return known(await withComputed(node, height, { params: read.value, kindParams }))
    }
    const { limits } = parts
    return await joinParts(node, { version: 'v1', height, limits }, async (paramsType) => {
      const part = await modern(paramsType)
      return isKnown(part) ? known(part.value.parts) : part
    })
  }
  if (!isUnknownMethod(first)) return withoutFailure(first)
  const legacy = (paramsType: string) => ask(node, v1beta1.paramsMethod, { height, paramsType })
  const tally = await legacy('tallying')
  if (!isKnown(tally)) return withoutFailure(tally)
  const { limits } = tally.value
  return await joinParts(node, { version: 'v1beta1', height, limits }, legacy)
}
