// Reads the parameters of x/gov at a height, of any version of the SDK. Before 0.47 they come in parts; upstream had no expedited votes
// yet: forks added their limits, and numbered them differently. AtomOne adds limits for two kinds of proposals.
// Sources: gov.proto and x/gov/types/params.go of osmosis-labs, sei-protocol and sge-network; proto/*/gov/v1/{gov,query}.proto and
// x/gov/keeper/tally.go of atomone-hub.
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import type { Params } from 'cosmjs-types/cosmos/gov/v1/gov'
import { QueryParamsRequest, QueryParamsResponse } from 'cosmjs-types/cosmos/gov/v1/query'
import {
  QueryValidatorsRequest,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { decodeAddress } from '../contract/address.ts'
import { InvalidDecimal, normalizeDecimal, toDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { findHighest, type ProposalKind } from '../contract/gov-type.ts'
import { decodeText } from '../schema/text.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'
import { type Answer, isKnown, known, unavailable, valueOrNull, withoutFailure } from './answer.ts'
import { askEither, govPath, inBothVersions } from './gov.ts'
import { toCoins } from './proposal-content.ts'
import { ask, isUnknownMethod } from './query.ts'
import { toSeconds } from './time.ts'

type Node = Pick<ChainNode, 'abciQuery'>

/** Null if the chain has no such limit. Throws `InvalidDecimal` for any other text. */
const toLimit = (text = ''): string | null => {
  if (text === '' || /^\d+(\.\d{1,18})?$/.test(text)) return text || null
  const normalized = normalizeDecimal(text)
  if (normalized === undefined) throw new InvalidDecimal(text)
  return normalized
}

const readLimit = (fields: readonly WireField[], no: number): string | null => {
  const bytes = lastBytes(fields, no)
  return toLimit(bytes && decodeText(bytes))
}

/** The quorums that the chain computes; without them those of the parameters count. */
type Quorums = { quorum: string | null } & Record<ProposalKind, string | null>

const readQuorums = (bytes: Uint8Array): Quorums => {
  const fields = readFields(bytes)
  return {
    quorum: readLimit(fields, 1),
    constitutionAmendment: readLimit(fields, 2),
    law: readLimit(fields, 3),
  }
}

type Limits = { quorum: string | null; threshold: string | null }
type KindParams = Record<ProposalKind, Limits> & {
  /** A law may be endorsed: then it has the threshold of other proposals. */
  hasEndorsements: boolean
}

/** The fields of `Params`, as `cosmos.gov.v1` of AtomOne numbers them. */
const FIELD = {
  constitutionAmendment: { quorum: 17, threshold: 18 },
  law: { quorum: 19, threshold: 20 },
  /** `min_governor_self_delegation`: endorsements came with governors. */
  sinceEndorsements: 31,
} as const

/** Undefined if the chain has no such kinds: other forks may use the numbers for anything. */
const readKindParams = (response: Uint8Array): KindParams | undefined => {
  const fields = readFields(lastBytes(readFields(response), 4))
  const read = ({ quorum, threshold }: { quorum: number; threshold: number }): Limits => ({
    quorum: readLimit(fields, quorum),
    threshold: readLimit(fields, threshold),
  })
  try {
    const params = {
      constitutionAmendment: read(FIELD.constitutionAmendment),
      law: read(FIELD.law),
      hasEndorsements: lastBytes(fields, FIELD.sinceEndorsements) !== undefined,
    }
    const hasKinds =
      params.constitutionAmendment.threshold !== null && params.law.threshold !== null
    return hasKinds ? params : undefined
  } catch (error) {
    if (error instanceof InvalidDecimal) return undefined
    throw error
  }
}

/** A kind has the higher one of its own limits and those of all proposals. */
const toKinds = (
  { hasEndorsements, ...kinds }: KindParams,
  params: Limits,
  computed: Quorums | null,
): NonNullable<GovParams['kinds']> => {
  const raise = (kind: ProposalKind): Limits => ({
    quorum: findHighest([params.quorum, computed ? computed[kind] : kinds[kind].quorum]),
    threshold: findHighest([params.threshold, kinds[kind].threshold]),
  })
  const law = raise('law')
  const isSame = !hasEndorsements || law.threshold === params.threshold
  return {
    constitutionAmendment: raise('constitutionAmendment'),
    law: { ...law, threshold: isSame ? law.threshold : null },
  }
}

/** The response to each query has one part; `v1` and `v1beta1` have the same numbers. */
const PART = { voting: 1, deposit: 2, tally: 3 } as const

/** One response. `limits` are still bytes, by field number. */
type LegacyParams = {
  periods: Pick<GovParams, 'votingPeriodSeconds' | 'expeditedVotingPeriodSeconds'>
  deposits: Pick<GovParams, 'maxDepositPeriodSeconds' | 'minDeposit' | 'expeditedMinDeposit'>
  limits: ReadonlyMap<number, Uint8Array>
}

const readSeconds = (bytes: Uint8Array | undefined): number | null =>
  toSeconds(bytes && Duration.decode(bytes))

const readCoins = (fields: readonly WireField[], no: number): Coin[] =>
  toCoins(
    fields.flatMap((field) =>
      field.no === no && field.value instanceof Uint8Array ? [Coin.decode(field.value)] : [],
    ),
  )

/** A duration has only numbers. The periods of Osmosis by type of proposal have the type. */
const isDuration = (bytes: Uint8Array): boolean =>
  readFields(bytes).every(({ value }) => typeof value === 'bigint')

/** Osmosis has it in field 3, because its periods by type are in field 2; other forks have it in field 2. */
const findExpeditedPeriod = (voting: readonly WireField[]): Uint8Array | undefined =>
  [3, 2].map((no) => lastBytes(voting, no)).find((bytes) => bytes && isDuration(bytes))

/** Throws if the bytes are not protobuf. */
function decodeLegacyParams(response: Uint8Array): LegacyParams {
  const fields = readFields(response)
  const readPart = (no: number) => readFields(lastBytes(fields, no))
  const voting = readPart(PART.voting)
  const deposit = readPart(PART.deposit)
  return {
    periods: {
      votingPeriodSeconds: readSeconds(lastBytes(voting, 1)),
      expeditedVotingPeriodSeconds: readSeconds(findExpeditedPeriod(voting)),
    },
    deposits: {
      maxDepositPeriodSeconds: readSeconds(lastBytes(deposit, 2)),
      minDeposit: readCoins(deposit, 1),
      expeditedMinDeposit: readCoins(deposit, 3),
    },
    limits: new Map(
      readPart(PART.tally).flatMap(({ no, value }) =>
        value instanceof Uint8Array ? [[no, value]] : [],
      ),
    ),
  }
}

/** Integers of 1e-18. */
const toRate = (text: string): string | null => {
  if (text === '') return null
  const decimal = toDecimal(text)
  if (decimal === undefined) throw new InvalidDecimal(text)
  return decimal
}

/** Field numbers. Absent: the chain has no such limit. */
type Numbers = { quorum?: number | undefined; threshold?: number | undefined }

/** Since Osmosis 9.3; the quorum since Osmosis 16. */
const OSMOSIS = { threshold: 4, quorum: 5 }
const SEI = { threshold: 5, quorum: 4 }

/** By the prefix of operators. */
const KNOWN_FORKS: ReadonlyMap<string, Numbers> = new Map([
  ['osmovaloper', OSMOSIS],
  ['seivaloper', SEI],
  ['sgevaloper', SEI],
])

const validatorsMethod = {
  path: '/cosmos.staking.v1beta1.Query/Validators',
  request: QueryValidatorsRequest,
  response: QueryValidatorsResponse,
}

const findKnownFork = async (node: Node, height: number): Promise<Numbers | undefined> => {
  const answer = await ask(node, validatorsMethod, { height, pagination: { limit: 1n } })
  const [first] = isKnown(answer) ? answer.value.validators : []
  return KNOWN_FORKS.get(decodeAddress(first?.operatorAddress ?? '')?.prefix ?? '')
}

/** Those of upstream, with the same numbers everywhere. */
const REGULAR = { quorum: 1, threshold: 2, vetoThreshold: 3 } as const

type Request = { version: string; height: number; limits: LegacyParams['limits'] }

/**
 * The expedited limits as a known fork numbers them: no chain of SDK 0.46 or older reports the names of its fields. Both are null for
 * another fork. Throws `InvalidDecimal` for a limit that is none.
 */
async function readLimits(node: Node, { version, height, limits }: Request) {
  const read = (no: number | undefined): string | null => {
    const text = decodeText((no === undefined ? undefined : limits.get(no)) ?? new Uint8Array())
    return version === 'v1' ? toLimit(text) : toRate(text)
  }
  const regular = {
    quorum: read(REGULAR.quorum),
    threshold: read(REGULAR.threshold),
    vetoThreshold: read(REGULAR.vetoThreshold),
  }
  const hasOthers = [...limits.keys()].some((no) => no > REGULAR.vetoThreshold)
  if (!hasOthers) return { ...regular, expeditedThreshold: null }
  const numbers = await findKnownFork(node, height)
  if (!numbers) return { ...regular, expeditedQuorum: null, expeditedThreshold: null }
  const expeditedQuorum = read(numbers.quorum)
  return {
    ...regular,
    ...(expeditedQuorum === null ? {} : { expeditedQuorum }),
    expeditedThreshold: read(numbers.threshold),
  }
}

/** One response: all parameters since SDK 0.47, before it one part. */
type ParamsResponse = {
  params?: Params | undefined
  kindParams?: KindParams | undefined
  parts: LegacyParams
}

const paramsQuery = inBothVersions(
  'Params',
  { request: QueryParamsRequest },
  {
    v1: (bytes): ParamsResponse => ({
      params: QueryParamsResponse.decode(bytes).params,
      kindParams: readKindParams(bytes),
      parts: decodeLegacyParams(bytes),
    }),
    v1beta1: (bytes): ParamsResponse => ({ parts: decodeLegacyParams(bytes) }),
  },
)

/** AtomOne computes some parameters; these queries report their current values. */
const quorumsMethod = {
  path: govPath('v1', 'Quorums'),
  request: QueryParamsRequest,
  response: { decode: readQuorums },
}
const minDepositMethod = {
  path: govPath('v1', 'MinDeposit'),
  request: QueryParamsRequest,
  response: {
    decode: (bytes: Uint8Array): Coin[] => readCoins(readFields(bytes), 1),
  },
}

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
    fixed === null ? ask(node, quorumsMethod, { height }) : undefined,
    minDeposit.length === 0 ? ask(node, minDepositMethod, { height }) : known(minDeposit),
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
  const answer = await ask(node, quorumsMethod, { height })
  return isKnown(answer) || isUnknownMethod(answer) ? known(isKnown(answer)) : answer
}

/** A part of the parameters, of either version: a chain that has it has x/gov. */
export function askParams(node: Node, height: number): Promise<Answer<unknown>> {
  return askEither(paramsQuery, (method) => ask(node, method, { height, paramsType: 'tallying' }))
}

/** A part that the node refuses is absent: the other parameters remain. There were no burn parameters yet. */
const joinParts = async (
  node: Node,
  request: Request,
  query: (paramsType: string) => Promise<Answer<ParamsResponse>>,
): Promise<Answer<GovParams>> => {
  const [voting, deposit] = await Promise.all([query('voting'), query('deposit')])
  for (const part of [voting, deposit]) {
    if (!isKnown(part) && part.failure?.kind !== 'refused') return part
  }
  return await present(async () => ({
    ...(await readLimits(node, request)),
    ...(valueOrNull(voting)?.parts ?? NO_PARTS).periods,
    ...(valueOrNull(deposit)?.parts ?? NO_PARTS).deposits,
    burnVoteQuorum: null,
    burnVoteVeto: null,
  }))
}

export async function govParamsAt(node: Node, height: number): Promise<Answer<GovParams>> {
  const answer = await askEither(paramsQuery, async (method): Promise<Answer<GovParams>> => {
    const query = (paramsType: string) => ask(node, method, { height, paramsType })
    const first = await query('tallying')
    if (!isKnown(first)) return first
    const { params, kindParams, parts } = first.value
    if (!params) {
      const version = method === paramsQuery.v1 ? 'v1' : 'v1beta1'
      return await joinParts(node, { version, height, limits: parts.limits }, query)
    }
    const read = await present(() => readParams(params))
    if (!isKnown(read)) return read
    return known(await withComputed(node, height, { params: read.value, kindParams }))
  })
  return withoutFailure(answer)
}
