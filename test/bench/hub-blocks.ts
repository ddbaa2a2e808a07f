// Blocks of the size of the Cosmos Hub that differ in height, time and hashes alone, so that a server sends them without work.

import { headerHash, readHeader } from '../../infra/base/proof/header.ts'
import { readJson } from '../../infra/base/proof/json-reader.ts'
import { hashText } from '../../infra/base/proof/light-block.ts'
import { createRandom, type Random } from '../support/chain/synthetic-parts.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import { lightBlockJson } from '../support/simulator/signatures.ts'
import { computeDataHash } from '../support/simulator/signed-chain.ts'

export const CHAIN_ID = 'quiet-1'
export const FIRST_HEIGHT = 20_000_001
export const VALIDATORS = 180
const TXS = 8
const TX_BYTES = 700
const EVENTS_PER_TX = 25
/** Commission and rewards of each validator, and as many events of other modules. */
const BLOCK_EVENTS = 540
const BLOCK_SECONDS = 6
const STAKING_EVERY = 3
const FIRST_MS = Date.UTC(2026, 8, 1)

export type HubBlocksOptions = {
  heights: number
  /** Whether every third block has events of staking. */
  hasStaking: boolean
}

export type HubBlocks = {
  readonly firstHeight: number
  readonly lastHeight: number
  readonly validators: readonly object[]
  timeAt(height: number): string
  hashAt(height: number): string
  /** The parts of the text of each `result`. */
  block(height: number): readonly Buffer[]
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

const toCoin = (random: Random): string => `${random(10 ** 9)}uatom`

/** As the distribution of rewards writes them. */
const toShares = (random: Random): string =>
  [
    `${random(10 ** 9)}.${random(10 ** 9)}${random(10 ** 9)}uatom`,
    `${random(10 ** 6)}.${random(10 ** 9)}ibc/${'0C4B7D'.repeat(10)}B5D2`,
  ].join(',')

const createBlockEvents = (random: Random): Event[] =>
  Array.from({ length: BLOCK_EVENTS }, (_, at) => {
    const validator = operator(`pool ${at % VALIDATORS}`)
    const isBegin = at < (2 * BLOCK_EVENTS) / 3
    const amount = isBegin ? toShares(random) : toCoin(random)
    const mode = isBegin ? 'BeginBlock' : 'EndBlock'
    if (isBegin) {
      return toEvent(at < VALIDATORS ? 'commission' : 'rewards', { amount, validator, mode })
    }
    const [sender, recipient] = [account(`payer ${at}`), account(`payee ${at}`)]
    if (at % 3 === 0) return toEvent('coin_spent', { spender: sender, amount, mode })
    if (at % 3 === 1) return toEvent('coin_received', { receiver: recipient, amount, mode })
    return toEvent('transfer', { recipient, sender, amount, mode })
  })

const createTxEvents = (random: Random, tx: number): Event[] =>
  Array.from({ length: EVENTS_PER_TX }, (_, at) => {
    const amount = toCoin(random)
    const [sender, recipient] = [account(`sender ${tx}`), account(`recipient ${tx}`)]
    const index = { msg_index: '0' }
    switch (at % 5) {
      case 0:
        return toEvent('coin_spent', { spender: sender, amount, ...index })
      case 1:
        return toEvent('coin_received', { receiver: recipient, amount, ...index })
      case 2:
        return toEvent('transfer', { recipient, sender, amount, ...index })
      case 3:
        return toEvent('message', { action: '/cosmos.bank.v1beta1.MsgSend', sender, ...index })
      default: {
        const packet = JSON.stringify({ amount: `${random(10 ** 9)}`, denom: 'uatom', sender })
        return toEvent('recv_packet', { packet_data: packet, packet_src_port: 'transfer' })
      }
    }
  })

/** A delegation by a voter, one by somebody else, and a redelegation. */
const createStakingEvents = (random: Random): Event[] => {
  const validator = operator(`pool ${random(VALIDATORS)}`)
  const amount = `${random(10 ** 9)}uatom`
  const moved = {
    source_validator: validator,
    destination_validator: operator(`pool ${random(VALIDATORS)}`),
    amount,
    completion_time: '2026-12-01T00:00:00Z',
    msg_index: '0',
  }
  return [
    ...['voter 3', 'somebody'].map((delegator) =>
      toEvent('delegate', {
        validator,
        delegator: account(delegator),
        amount,
        new_shares: '1.000000000000000000',
        msg_index: '0',
      }),
    ),
    toEvent('redelegate', { delegator: account('somebody else'), ...moved }),
  ]
}

const createTxResults = (hasStaking: boolean) => {
  const random = createRandom(11)
  return Array.from({ length: TXS }, (_, tx) => {
    const events = createTxEvents(random, tx)
    const staking = hasStaking && tx === 0 ? createStakingEvents(random) : []
    return {
      code: 0,
      data: 'EiYKJC9jb3Ntb3MuYmFuay52MWJldGExLk1zZ1NlbmRSZXNwb25zZQ==',
      log: '',
      info: '',
      gas_wanted: '200000',
      gas_used: '114356',
      events: [...staking, ...events.slice(staking.length)],
      codespace: '',
    }
  })
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
const createTemplates = (hasStaking: boolean) => {
  const txs = createTxs()
  const signing = { chainId: CHAIN_ID, members: MEMBERS, dataHash: computeDataHash(txs) }
  const { header, commit, validators } = lightBlockJson({ ...signing, height: FIRST_HEIGHT })
  const { height, time, hash, previous } = HOLES
  const patchedHeader = { ...header, height, time, last_block_id: toBlockId(previous) }
  const blockEvents = createBlockEvents(createRandom(7))
  const createResults = (withStaking: boolean) =>
    createTemplate({
      height,
      txs_results: createTxResults(withStaking),
      finalize_block_events: blockEvents,
      validator_updates: null,
      consensus_param_updates: { block: { max_bytes: '2000000', max_gas: '75000000' } },
      app_hash: 'q6urq6urq6urq6urq6urq6urq6urq6urq6urq6urq6s=',
    })
  return {
    header,
    signing,
    validators,
    block: createTemplate({
      block_id: toBlockId(hash),
      block: {
        header: patchedHeader,
        data: { txs: txs.map((tx) => tx.toString('base64')) },
        evidence: { evidence: [] },
        last_commit: { ...commit, block_id: toBlockId(previous) },
      },
    }),
    quietResults: createResults(false),
    stakingResults: createResults(hasStaking),
    meta: createTemplate({
      block_id: toBlockId(hash),
      block_size: '38211',
      header: patchedHeader,
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

export const createHubBlocks = ({ heights, hasStaking }: HubBlocksOptions): HubBlocks => {
  const templates = createTemplates(hasStaking)
  const hashes = computeHashes(templates.header, heights)
  const hashAt = (height: number) =>
    hashes[height - FIRST_HEIGHT] ?? templates.header.last_block_id.hash
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
    validators: templates.validators,
    timeAt,
    hashAt,
    block: (height) => templates.block(patch(height)),
    blockResults: (height) => {
      const { stakingResults, quietResults } = templates
      return (height % STAKING_EVERY === 0 ? stakingResults : quietResults)(patch(height))
    },
    meta: (height) => templates.meta(patch(height)),
    commit: (height) => {
      const signed = { height, time: timeAt(height), previousHash: hashAt(height - 1) }
      const { header, commit } = lightBlockJson({ ...templates.signing, ...signed })
      return { signed_header: { header, commit }, canonical: height < lastHeight }
    },
  }
}
