// Reads the parameters of x/gov at a height, of any version of the SDK.
import type { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import type { QueryParamsResponse } from 'cosmjs-types/cosmos/gov/v1/query'
import type { ChainNode } from '../comet/node.ts'
import { InvalidDecimal, toDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { type Answer, isKnown, known, unavailable, valueOrNull, withoutFailure } from './answer.ts'
import * as v1 from './gov-v1.ts'
import * as v1beta1 from './gov-v1beta1.ts'
import { type KindParams, toKinds, toLimit } from './kind-params.ts'
import { toCoins } from './proposal-content.ts'
import { ask, isUnknownMethod } from './query.ts'
import { toSeconds } from './time.ts'

type Node = Pick<ChainNode, 'abciQuery'>

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

/** The parts of the parameters before SDK 0.47, one response each. */
type Parts<Response> = { tally: Response; voting: Response | null; deposit: Response | null }

type Limits = Pick<GovParams, 'quorum' | 'threshold' | 'vetoThreshold' | 'expeditedThreshold'> &
  Partial<Pick<GovParams, 'expeditedQuorum'>>

/** There were no burn parameters and no expedited votes yet. */
const readParts = (
  { voting, deposit }: Parts<QueryParamsResponse | v1beta1.Params>,
  limits: Limits,
): GovParams => ({
  ...limits,
  votingPeriodSeconds: toSeconds(voting?.votingParams?.votingPeriod),
  expeditedVotingPeriodSeconds: null,
  maxDepositPeriodSeconds: toSeconds(deposit?.depositParams?.maxDepositPeriod),
  minDeposit: toCoins(deposit?.depositParams?.minDeposit),
  expeditedMinDeposit: [],
  burnVoteQuorum: null,
  burnVoteVeto: null,
})

/** SDK 0.46. */
const readV1Parts = (parts: Parts<QueryParamsResponse>): GovParams => {
  const { tallyParams } = parts.tally
  return readParts(parts, {
    quorum: toLimit(tallyParams?.quorum),
    threshold: toLimit(tallyParams?.threshold),
    vetoThreshold: toLimit(tallyParams?.vetoThreshold),
    expeditedThreshold: null,
  })
}

/** Null if the chain has no such rate. Throws `InvalidDecimal` for anything but an integer of 1e-18. */
const readRate = (bytes: Uint8Array = new Uint8Array()): string | null => {
  if (bytes.length === 0) return null
  const text = Buffer.from(bytes).toString('utf8')
  const decimal = toDecimal(text)
  if (decimal === undefined) throw new InvalidDecimal(text)
  return decimal
}

/** SDK 0.45 and older. Sei added expedited votes. */
const readV1beta1Parts = (parts: Parts<v1beta1.Params>): GovParams => {
  const { tally, voting, deposit } = parts
  const { tallyParams } = tally
  const expeditedQuorum = readRate(tally.expeditedQuorum)
  const params = readParts(parts, {
    quorum: readRate(tallyParams?.quorum),
    threshold: readRate(tallyParams?.threshold),
    vetoThreshold: readRate(tallyParams?.vetoThreshold),
    ...(expeditedQuorum === null ? {} : { expeditedQuorum }),
    expeditedThreshold: readRate(tally.expeditedThreshold),
  })
  return {
    ...params,
    expeditedVotingPeriodSeconds: toSeconds(voting?.expeditedVotingPeriod),
    expeditedMinDeposit: toCoins(deposit?.expeditedMinDeposit),
  }
}

/** A part that the node refuses is absent: the other parameters remain. */
const joinParts = async <Response>(
  tally: Response,
  query: (paramsType: string) => Promise<Answer<Response>>,
  read: (parts: Parts<Response>) => GovParams,
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
    const { params, kindParams } = first.value
    // SDK 0.47 and later: one query returns all parameters.
    if (params) {
      const read = present(() => readParams(params))
      if (!isKnown(read)) return read
      return known(await withComputed(node, height, { params: read.value, kindParams }))
    }
    return await joinParts(first.value, modern, readV1Parts)
  }
  if (!isUnknownMethod(first)) return withoutFailure(first)
  const legacy = (paramsType: string) => ask(node, v1beta1.paramsMethod, { height, paramsType })
  const tally = await legacy('tallying')
  if (!isKnown(tally)) return withoutFailure(tally)
  return await joinParts(tally.value, legacy, readV1beta1Parts)
}
