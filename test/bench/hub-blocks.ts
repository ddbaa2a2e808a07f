// Blocks of the size of the Cosmos Hub that differ in height, time and hashes alone, so that a server sends them without work.

import { headerHash, readHeader } from '../../infra/base/proof/header.ts'
import { readJson } from '../../infra/base/proof/json-reader.ts'
import { hashText } from '../../infra/base/proof/light-block.ts'
import { createRandom, type Random } from '../support/log/governance-story.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import { lightBlockJson } from '../support/simulator/signatures.ts'
import { computeDataHash } from '../support/simulator/signed-chain.ts'

export const CHAIN_ID = 'quiet-1'
const FIRST_HEIGHT = 20_000_001
export const VALIDATORS = 180
const TXS = 8
const TX_BYTES = 700
const EVENTS_PER_TX = 25
/** Commission and rewards of each validator, and as many events of other modules. */
const BLOCK_EVENTS = 540
const BLOCK_SECONDS = 6
const FIRST_MS = Date.UTC(2026, 8, 1)

export type HubBlocks = {
  readonly firstHeight: number
  readonly lastHeight: number
  readonly validators: readonly object[]
  hashAt(height: number): string
  /** The parts of the text of the `result`. */
  blockResults(height: number): readonly Buffer[]
  /** The member of `block_metas`. */
  meta(height: number): readonly Buffer[]
  /** Signed when it is asked for. */
  commit(height: number): object
}

const PATCHED = ['height', 'time', 'hash', 'previous'] as const
type Patched = Record<(typeof PATCHED)[number], string>

const HOLES = Object.fromEntries(PATCHED.map((name) => [name, `@${name}@`])) as Patched

/** A text with holes for what differs between blocks. */
const createTemplate = (value: object) => {
  const parts = JSON.stringify(value)
    .split(new RegExp(`@(${PATCHED.join('|')})@`))
    .map((part, at) => (at % 2 === 0 ? Buffer.from(part) : (part as keyof Patched)))
  return (patched: Patched): Buffer[] =>
    parts.map((part) => (typeof part === 'string' ? Buffer.from(patched[part]) : part))
}

type Event = { type: string; attributes: readonly object[] }

const toEvent = (type: string, attributes: Readonly<Record<string, string>>): Event => ({
  type,
  attributes: Object.entries(attributes).map(([key, value]) => ({ key, value, index: true })),
})

/** As the distribution of rewards writes them. */
const toShares = (random: Random): string =>
  [
    `${random(10 ** 9)}.${random(10 ** 9)}${random(10 ** 9)}uatom`,
    `${random(10 ** 6)}.${random(10 ** 9)}ibc/${'0C4B7D'.repeat(10)}B5D2`,
  ].join(',')

/** Rewards and transfers, in turn. */
const createEvents = (count: number, random: Random, more: Record<string, string>): Event[] =>
  Array.from({ length: count }, (_, at) => {
    const [sender, recipient] = [account(`sender ${at}`), account(`recipient ${at}`)]
    const validator = operator(`pool ${at % VALIDATORS}`)
    return at % 2 === 0
      ? toEvent('transfer', { recipient, sender, amount: `${random(10 ** 9)}uatom`, ...more })
      : toEvent('rewards', { amount: toShares(random), validator, ...more })
  })

const createTxResults = () => {
  const random = createRandom(11)
  return Array.from({ length: TXS }, () => ({
    code: 0,
    data: 'EiYKJC9jb3Ntb3MuYmFuay52MWJldGExLk1zZ1NlbmRSZXNwb25zZQ==',
    log: '',
    info: '',
    gas_wanted: '200000',
    gas_used: '114356',
    events: createEvents(EVENTS_PER_TX, random, { msg_index: '0' }),
    codespace: '',
  }))
}

const createTxs = (): Buffer[] => {
  const random = createRandom(13)
  return Array.from({ length: TXS }, () =>
    Buffer.from(Array.from({ length: TX_BYTES }, () => random(256))),
  )
}

const MEMBERS = Array.from({ length: VALIDATORS }, (_, at) => ({
  name: `pool ${at}`,
  power: Math.ceil(10_000_000 / (at + 10)),
}))

const toBlockId = (hash: string) => ({ hash, parts: { total: 1, hash } })

/** One block, whose height, time and hashes are patched: the signatures in it are those of the first one. */
const createTemplates = () => {
  const signing = { chainId: CHAIN_ID, members: MEMBERS, dataHash: computeDataHash(createTxs()) }
  const { header, validators } = lightBlockJson({ ...signing, height: FIRST_HEIGHT })
  const { height, time, hash, previous } = HOLES
  return {
    header,
    signing,
    validators,
    blockResults: createTemplate({
      height,
      txs_results: createTxResults(),
      finalize_block_events: createEvents(BLOCK_EVENTS, createRandom(7), { mode: 'EndBlock' }),
      validator_updates: null,
      consensus_param_updates: { block: { max_bytes: '2000000', max_gas: '75000000' } },
      app_hash: 'q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=',
    }),
    meta: createTemplate({
      block_id: toBlockId(hash),
      block_size: '38211',
      header: { ...header, height, time, last_block_id: toBlockId(previous) },
      num_txs: `${TXS}`,
    }),
  }
}

export const timeAt = (height: number): string =>
  new Date(FIRST_MS + (height - FIRST_HEIGHT) * BLOCK_SECONDS * 1_000)
    .toISOString()
    .replace('Z', '123456Z')

/** Each header has its real hash, and the hash of the one before. */
const computeHashes = (
  header: ReturnType<typeof createTemplates>['header'],
  heights: number,
): string[] => {
  const hashes: string[] = []
  let previous = header.last_block_id.hash
  for (let at = 0; at < heights; at++) {
    const height = FIRST_HEIGHT + at
    const patched = {
      ...header,
      height: `${height}`,
      time: timeAt(height),
      last_block_id: toBlockId(previous),
    }
    previous = hashText(headerHash(readHeader(readJson(patched))))
    hashes.push(previous)
  }
  return hashes
}

export const createHubBlocks = (heights: number): HubBlocks => {
  const { header: first, signing, validators, blockResults, meta } = createTemplates()
  const hashes = computeHashes(first, heights)
  const hashAt = (height: number) => hashes[height - FIRST_HEIGHT] ?? first.last_block_id.hash
  const patch = (height: number): Patched => ({
    height: `${height}`,
    time: timeAt(height),
    hash: hashAt(height),
    previous: hashAt(height - 1),
  })
  const lastHeight = FIRST_HEIGHT + heights - 1
  return {
    firstHeight: FIRST_HEIGHT,
    lastHeight,
    validators,
    hashAt,
    blockResults: (height) => blockResults(patch(height)),
    meta: (height) => meta(patch(height)),
    commit: (height) => {
      const signed = { height, time: timeAt(height), previousHash: hashAt(height - 1) }
      const { header, commit } = lightBlockJson({ ...signing, ...signed })
      return { signed_header: { header, commit }, canonical: height < lastHeight }
    },
  }
}
