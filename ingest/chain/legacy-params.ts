// Reads the parameters of x/gov before SDK 0.47, which come in parts. Upstream had no expedited votes yet: forks added their limits, and
// numbered them differently. Sources: gov.proto and x/gov/types/params.go of osmosis-labs, sei-protocol and sge-network.
import { Coin } from 'cosmjs-types/cosmos/base/v1beta1/coin'
import {
  QueryValidatorsRequest,
  QueryValidatorsResponse,
} from 'cosmjs-types/cosmos/staking/v1beta1/query'
import { Duration } from 'cosmjs-types/google/protobuf/duration'
import type { ChainNode } from '../comet/endpoints/node.ts'
import { decodeAddress } from '../contract/address.ts'
import { InvalidDecimal, parseDecimal, toDecimal } from '../contract/decimal.ts'
import type { GovParams } from '../contract/facts.ts'
import { type ChainSchema, readSchema, SchemaError } from '../schema/chain-schema.ts'
import { FILES_PATH } from '../schema/schema-source.ts'
import { decodeText } from '../schema/text.ts'
import { lastBytes, readFields, type WireField } from '../schema/wire.ts'
import { isKnown } from './answer.ts'
import { toLimit } from './kind-params.ts'
import { toCoins } from './proposal-content.ts'
import { ask } from './query.ts'
import { toSeconds } from './time.ts'

type Node = Pick<ChainNode, 'abciQuery'>

/** The response to each query has one part; `v1` and `v1beta1` have the same numbers. */
const PART = { voting: 1, deposit: 2, tally: 3 } as const

/** One response. `limits` are still bytes, by field number. */
export type LegacyParams = {
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
export function decodeLegacyParams(response: Uint8Array): LegacyParams {
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

const readChainSchema = async (node: Node): Promise<ChainSchema | undefined> => {
  const answer = await node.abciQuery({ path: FILES_PATH, data: new Uint8Array(), height: 0 })
  if (answer.kind !== 'value') return undefined
  try {
    return readSchema(answer.value)
  } catch (error) {
    if (error instanceof SchemaError) return undefined
    throw error
  }
}

/** As the chain itself names its fields; undefined if it reports no such message. */
const readNumbers = async (node: Node, version: string): Promise<Numbers | undefined> => {
  const schema = await readChainSchema(node)
  const fields = schema?.messageType(`/cosmos.gov.${version}.TallyParams`)?.fields
  const find = (name: string) => fields?.find((field) => field.name === name)?.number
  return fields && { quorum: find('expedited_quorum'), threshold: find('expedited_threshold') }
}

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
 * Which expedited limit is which: as the chain names them, or else by their values, or else by its known fork. The threshold is never
 * lower than that of other votes. Both are null if none of this decides. Throws `InvalidDecimal` for a limit that is none.
 */
export async function readLimits(node: Node, { version, height, limits }: Request) {
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
  const findPossible = (): Numbers | undefined => {
    const possible = [OSMOSIS, SEI].filter((numbers) => {
      const threshold = read(numbers.threshold)
      return threshold && parseDecimal(threshold) >= parseDecimal(regular.threshold ?? '0')
    })
    const isSame = read(OSMOSIS.threshold) === read(SEI.threshold)
    return possible.length === 1 || isSame ? possible[0] : undefined
  }
  const numbers =
    (await readNumbers(node, version)) ?? findPossible() ?? (await findKnownFork(node, height))
  if (!numbers) return { ...regular, expeditedQuorum: null, expeditedThreshold: null }
  const expeditedQuorum = read(numbers.quorum)
  return {
    ...regular,
    ...(expeditedQuorum === null ? {} : { expeditedQuorum }),
    expeditedThreshold: read(numbers.threshold),
  }
}
