// Generates untrusted content of blocks: values that no parser expects, and very many events.
import type { EventSketch, TxSketch } from '../../support/simulator/blocks.ts'
import type { Rolls } from '../dice.ts'

/** Names that every plain object inherits. */
const INHERITED = Object.getOwnPropertyNames(Object.prototype)

export const ABSURD_TEXTS: readonly string[] = [
  ...INHERITED,
  '',
  ' ',
  '-1',
  '-5stake',
  `1${'0'.repeat(80)}`,
  `1${'0'.repeat(80)}stake`,
  '1e400',
  'NaN',
  '0x10',
  '00',
  '18446744073709551616',
  '\u0000',
  '\ud800',
  '\ufffd\ufffd',
  '٣',
  '[{"option":1,"weight":"-1.0"}]',
  '[{"option":-1,"weight":"1.0"}]',
  '[{"option":"valueOf","weight":"1.0"}]',
  '[{"option":1,"weight":"1e1"}]',
  '{"option":1',
  '['.repeat(5_000),
  'option:constructor weight:"1.0"',
  'x'.repeat(20_000),
  '2026-13-45T25:61:61Z',
]

const NEVER_SUBMITTED = '18446744073709551615'

/** Proposals that do not exist: events about them must not affect others. */
const ABSURD_IDS: readonly string[] = [
  ...INHERITED,
  '',
  '0',
  '-1',
  '1e3',
  '00000000000000000007777',
  '99999999999999999999',
  NEVER_SUBMITTED,
]

/** Without votes: an undecodable vote makes an open vote uncertain. See `unreadableVote`. */
const GOVERNANCE_TYPES = [
  'submit_proposal',
  'proposal_deposit',
  'active_proposal',
  'inactive_proposal',
  'cancel_proposal',
] as const
const GOVERNANCE_KEYS = [
  'proposal_id',
  'voting_period_start',
  'option',
  'voter',
  'amount',
  'depositor',
  'proposal_result',
  'proposal_log',
  'sender',
] as const
const STAKING_TYPES = ['delegate', 'unbond', 'redelegate', 'slash', 'create_validator'] as const

const absurdAttributes = (rolls: Rolls, keys: readonly string[]) =>
  keys.map((key): readonly [string, string] => [
    key,
    key === 'proposal_id' || key === 'voting_period_start'
      ? rolls.pick(ABSURD_IDS)
      : rolls.pick(ABSURD_TEXTS),
  ])

/** For no open proposal and no account with stake: the chain's state does not change. */
export const absurdEvent = (rolls: Rolls): EventSketch => {
  switch (rolls.below(5)) {
    case 0: {
      const keys = GOVERNANCE_KEYS.filter(() => rolls.happens(50))
      return [rolls.pick(GOVERNANCE_TYPES), absurdAttributes(rolls, keys)]
    }
    case 1:
      return [
        'proposal_vote',
        [
          ['proposal_id', NEVER_SUBMITTED],
          ['voter', rolls.pick(ABSURD_TEXTS)],
          ['option', rolls.pick(ABSURD_TEXTS)],
        ],
      ]
    case 2:
      return [
        rolls.pick(STAKING_TYPES),
        absurdAttributes(rolls, ['validator', 'delegator', 'amount', 'address']),
      ]
    case 3:
      // Results in which no event has a type are refused: ingest waits for others.
      return [rolls.pick(ABSURD_TEXTS) || ' ', absurdAttributes(rolls, [rolls.pick(ABSURD_TEXTS)])]
    default:
      return [rolls.pick(INHERITED), absurdAttributes(rolls, [...INHERITED])]
  }
}

/** An undecodable vote on an open proposal: it is unknown whether it counts. */
export const unreadableVote = (rolls: Rolls, id: string): EventSketch => [
  'proposal_vote',
  {
    voter: rolls.pick(ABSURD_TEXTS),
    option: rolls.pick(['', '{"option":1', 'x']),
    proposal_id: id,
  },
]

/** A transaction cut at any byte: the rest is no transaction, or a different one. */
export const cutShort = (rolls: Rolls, tx: TxSketch): TxSketch => {
  const { bytes } = tx
  if (!bytes || bytes.length < 2) return tx
  return { ...tx, bytes: bytes.slice(0, rolls.below(bytes.length)) }
}

const CROWD_EVENT: EventSketch = ['wasm', [['_contract_address', 'x']]]

/** One transaction with the given number of meaningless events. */
export const crowd = (events: number): TxSketch => ({
  events: Array.from({ length: events }, () => CROWD_EVENT),
})
