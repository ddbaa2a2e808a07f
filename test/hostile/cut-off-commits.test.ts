// Interrupts a commit between any two inserts: every response is of the named checkpoint, or 503, never of both heights.
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import type { Store } from '../../infra/base/clickhouse/client.ts'
import type { EventLog } from '../../infra/base/log/event-log.ts'
import { AppError } from '../../infra/base/runtime/errors.ts'
import { createApiRig } from '../support/api/api-rig.ts'
import { type RebuildRig, startRebuildRig } from '../support/fold/rebuild-rig.ts'
import { projectAll } from '../support/fold/run-projections.ts'
import { messageBytes, proposalContext } from '../support/log/context-events.ts'
import {
  ballotOf,
  closed,
  createHeightEvents,
  finalReading,
  firstReading,
  reading,
  stakeOf,
  submitted,
  toLogEntry,
  vote,
  votingStarted,
  votingState,
} from '../support/log/governance-events.ts'
import { all, params, pool, to } from '../support/log/governance-values.ts'
import { openMemoryLog } from '../support/log/memory-log.ts'
import {
  lightBlock,
  proposalProof,
  VALIDATORS_HASH,
  validators,
} from '../support/log/proof-events.ts'
import { account, operator } from '../support/simulator/addresses.ts'
import { replaceRows } from '../support/store/read-model-seed.ts'

let rig: RebuildRig
beforeAll(async () => {
  rig = await startRebuildRig()
})
beforeEach(() => rig.clear())
afterAll(() => rig?.stop())

const started = (id: string) => [
  submitted(id, { proposal: votingState(id) }),
  votingStarted(id, { proposal: votingState(id) }),
]
const named = (name: string) => ({
  operatorAddress: operator(name),
  accountAddress: account(name),
})
const pools = (tokens: string) => [pool('a', { tokens, ...named('a') }), pool('b', named('b'))]
const createDelegation = (name: string, shares: string) => ({
  ...to(name, shares),
  operatorAddress: operator(name),
})
const committed = [
  createHeightEvents(1, [...started('7'), ...started('8')], 1),
  createHeightEvents(2, [firstReading('7', pools('2000')), firstReading('8', pools('2000'))], 1),
  createHeightEvents(
    3,
    [
      ...['7', '8'].flatMap((id) => [
        vote(id, account('a')),
        vote(id, account('voter'), { options: all('no') }),
        reading(id, {
          ballots: [
            stakeOf(account('a'), createDelegation('a', '1')),
            stakeOf(account('voter'), createDelegation('b', '500')),
          ],
        }),
      ]),
      lightBlock(),
      validators(),
      proposalProof('7'),
    ],
    1,
  ),
]
/** Changes every table: a new proposal, a changed vote, a new vote, moved stake, pools, a close. */
const later = createHeightEvents(
  4,
  [
    ...started('9'),
    proposalContext('9'),
    messageBytes('9', Buffer.from('code')),
    lightBlock(),
    validators(),
    proposalProof('9'),
    vote('7', account('voter'), { options: all('yes') }),
    vote('7', account('b')),
    reading('7', {
      params: params(),
      pools: pools('1900'),
      ballots: [
        stakeOf(account('voter'), createDelegation('a', '900')),
        stakeOf(account('b'), createDelegation('b', '1')),
      ],
    }),
    closed('8', { proposal: votingState('8', { status: 'passed' }) }),
    finalReading('8', {
      pools: pools('1900'),
      ballots: [
        ballotOf(account('a'), { delegations: [createDelegation('a', '1')] }),
        ballotOf(account('voter'), {
          options: all('no'),
          delegations: [createDelegation('b', '500')],
        }),
      ],
    }),
  ],
  1,
)

/** The order of the tables in an interrupted commit; a real commit writes most of them in parallel. */
const TABLES = [
  'events',
  'proposals',
  'message_bytes',
  'proposal_proofs',
  'light_blocks',
  'validator_sets',
  'ballots',
  'pools',
  'pool_states',
  'voter_stakes',
  'pool_votes',
  'missed_votes',
  'tallies',
  'watermarks',
]

const ADDRESSES = [
  '/api/proposals',
  '/api/proposals?status=voting_period',
  '/api/proposals?q=proposal',
  ...['7', '8', '9'].flatMap((id) =>
    ['', '/votes', '/ballots', '/events', '/evidence'].map((part) => `/api/proposals/${id}${part}`),
  ),
  '/api/proposals/9/messages/0/bytes?path=/wasm_byte_code',
  '/api/proposals/7/proof',
  '/api/proposals/9/proof',
  '/api/light-blocks',
  `/api/validators/${VALIDATORS_HASH}`,
  '/api/pools',
  `/api/voters/${account('voter')}/votes`,
  `/api/voters/${account('b')}/votes`,
  `/api/pools/${operator('a')}/votes`,
  `/api/pools/${operator('b')}/votes`,
  '/proposals/7',
  '/proposals/8',
  '/proposals/9',
  '/pools',
  '/feed.atom',
]

/** Addresses that read rows of `ballots`, `proposals` and `pools` which the later height changes. */
const REPLACED = ['/api/proposals/7/ballots', '/api/proposals/8', '/api/pools', '/proposals/7']

type Seen = { status: number; text: string }

/** A page about a missing resource contains the id of its request. */
const toComparableText = ({ status, text }: Seen): string =>
  status === 404 ? '' : text.replace(/"requestId":"[^"]*"/, '')

/** Like an api after its start, with empty caches. */
const askAll = async (): Promise<Map<string, Seen>> => {
  const api = await createApiRig(rig.store)
  const seen = await Promise.all(
    ADDRESSES.map(async (address): Promise<[string, Seen]> => {
      const { status, text } = await api.ask(address)
      return [address, { status, text: toComparableText({ status, text }) }]
    }),
  )
  await api.close()
  return new Map(seen)
}

const createLog = async (heights: readonly (typeof later)[]): Promise<EventLog> => {
  const log = openMemoryLog()
  for (const height of heights) await log.append(height.map(toLogEntry))
  return log
}

const killed = new AppError('ENGINE_FAILED', 'killed')

/** Accepts only rows of these tables; a write to any other table fails. */
const dyingStore = (tables: readonly string[]): Store => ({
  ...rig.store,
  insert: async (table, rows, options) => {
    if (!tables.includes(table.split('.').at(-1) ?? '')) throw killed
    await rig.store.insert(table, rows, options)
  },
})

const setMerges = async (isOn: boolean) => {
  await rig.store.command(`SYSTEM ${isOn ? 'START' : 'STOP'} MERGES`)
}

const cutOff = async (log: EventLog, tables: readonly string[]): Promise<void> => {
  const ended = projectAll(log, dyingStore(tables), {}, { control: rig.control })
  await expect(ended).rejects.toBe(killed)
}

it('the API answers as of the checkpoint after a commit that reached any part of the tables', {
  tags: 'projections:whole-heights',
}, async () => {
  await projectAll(await createLog(committed), rig.store, {}, { control: rig.control })
  const reference = await askAll()
  expect([...reference.values()].filter(({ status }) => status === 200)).toHaveLength(
    ADDRESSES.filter((address) => !isNew(address)).length,
  )
  const log = await createLog([...committed, later])
  await setMerges(false)
  onTestFinished(() => setMerges(true))
  for (let reached = 0; reached <= TABLES.length; reached++) {
    const tables = TABLES.slice(0, reached)
    await cutOff(log, tables)
    expect([tables.at(-1), await askAll()]).toEqual([tables.at(-1), reference])
  }
})

it('the API answers 503 and mixes no heights if rows of an interrupted commit have replaced earlier ones', {
  tags: ['projections:whole-heights', 'api:one-state-per-page'],
}, async () => {
  await projectAll(await createLog(committed), rig.store, {}, { control: rig.control })
  const reference = await askAll()
  const log = await createLog([...committed, later])
  for (const tables of [['ballots', 'proposals', 'pools'], TABLES]) {
    await cutOff(log, tables)
    await replaceRows(rig.store)
    await rig.store.command('OPTIMIZE TABLE rollcall_1.watermarks FINAL')
    const answers = await askAll()
    // Their rows of the checkpoint are gone for certain.
    for (const address of REPLACED) {
      expect([address, answers.get(address)?.status]).toEqual([address, 503])
    }
    for (const [address, seen] of answers) {
      const refused = { status: 503, isSettling: true }
      const isSettling = seen.text.includes('is being written')
      if (seen.status === 503) expect({ status: 503, isSettling }, address).toEqual(refused)
      else if (!isNew(address)) expect([address, seen]).toEqual([address, reference.get(address)])
    }
  }
  // The writer is back and has written the whole height.
  await projectAll(log, rig.store, {}, { control: rig.control })
  const whole = await askAll()
  await rig.clear()
  await projectAll(log, rig.store, {}, { control: rig.control })
  expect(whole).toEqual(await askAll())
  const okPages = [...whole.values()].filter(({ status }) => status === 200)
  expect(okPages).toHaveLength(ADDRESSES.length)
})

/** A proposal of the later height: its earlier state is lost, so it may be empty. */
const isNew = (address: string): boolean => address.includes('/9')
