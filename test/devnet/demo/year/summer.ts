// The third quarter: a second season of grants, a large upgrade, and a second proposal that is vetoed.
import { updateGovernance, updateStaking } from '../../scenario/chain-reads.ts'
import { ROLL } from '../../scenario/scene.ts'
import { createEscrow, spend, upgrade } from '../messages.ts'
import { CLEAR, DIVIDED, type Entry, MANY, REFUSED } from '../story.ts'

export const SUMMER: readonly Entry[] = [
  {
    key: 'grants',
    day: 164,
    proposer: 'council',
    title: 'Fund the grants program, second season (400,000 ROLL)',
    summary: `The first season paid eleven grants. Nine were delivered, one was late, one was returned.

## Second season
- up to 40,000 ROLL per grant, paid from the escrow in two parts
- topics: wallets, light clients, documentation, teaching
- a committee of five, of which delegators elect two

What is not granted by the end of the year returns to the community pool.`,
    messages: spend('council', 400_000n),
    mix: [0.66, 0.22, 0.1, 0.02],
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'escrowSeason',
    day: 171,
    proposer: 'core-team',
    title: 'Create the escrow of the second season',
    summary:
      'A second escrow contract, so that the books of the two seasons stay apart. Governance is its administrator. It starts with 20,000 ROLL of the governance account, for the first small grants.',
    messages: (stage) => [createEscrow(stage.governance, stage, 'grants escrow, second season')],
    mix: CLEAR,
    ending: 'failed',
  },
  {
    key: 'cedar',
    day: 178,
    proposer: 'core-team',
    title: 'Software upgrade v2.0 "Cedar"',
    summary: `Cedar is the largest upgrade so far.

- a new version of the contract engine
- fees can be paid in tokens of connected chains
- governance proposals can be expedited with a higher deposit only

Four weeks on the test network, two incidents, both fixed. The state grows by 3 %; the upgrade takes about twelve minutes on common hardware. **Back up your node before you begin.**`,
    messages: upgrade('v2.0', 60),
    mix: [0.81, 0.08, 0.1, 0.01],
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'typo',
    day: 186,
    proposer: 'council',
    title: 'Raise the number of validators form 60 to 70',
    summary:
      'Withdrawn by its author because of a mistake in the title. A corrected proposal follows.',
    deposit: 250n * ROLL,
    canceledAfterDays: 1.2,
    ending: 'canceled',
  },
  {
    key: 'moreValidators',
    day: 188,
    proposer: 'council',
    title: 'Raise the number of validators from 60 to 70',
    summary:
      'Seven operators wait outside the set, and all of them ran testnet nodes for a year. Ten more seats cost about 3 % more bandwidth.\n\nThe smallest pools object: rewards are shared by more. The largest ones have no opinion, which is an opinion too.',
    messages: async (stage) => [await updateStaking(stage, { maxValidators: 70 })],
    mix: REFUSED,
    turnout: MANY,
    ending: 'rejected',
  },
  {
    key: 'hosting',
    day: 197,
    proposer: 'community',
    title: 'Advisory: should validators disclose their hosting provider?',
    summary:
      'An advisory question. Disclosure helps delegators to spread their stake over providers. It also helps attackers.\n\nMany pools prefer to stay neutral, and abstaining is a fine answer.',
    mix: [0.14, 0.06, 0.79, 0.01],
    ending: 'passed',
  },
  {
    key: 'racing',
    day: 206,
    proposer: 'stranger',
    title: 'Sponsor a sailing team for the autumn season (250,000 ROLL)',
    summary:
      'Our logo on a sail, in front of forty thousand spectators on the shore. The team finished fourth last year. The price includes two days on board for delegators, drawn by lot.',
    messages: spend('stranger', 250_000n),
    mix: [0.14, 0.58, 0.09, 0.19],
    turnout: MANY,
    ending: 'rejected',
  },
  {
    key: 'outage',
    day: 214,
    proposer: 'community',
    title: 'Expedited: compensate relayers for the August outage (24,000 ROLL)',
    summary:
      'Four relayers kept packets moving while the public endpoints were down, and paid for capacity out of their own pockets. Their invoices are linked in the forum.\n\nExpedited because two of the invoices are due this week.',
    messages: spend('community', 24_000n),
    expedited: true,
    mix: [0.78, 0.13, 0.09, 0],
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'quorum',
    day: 222,
    proposer: 'council',
    title: 'Raise the quorum from 33.4 % to 40 %',
    summary:
      'Turnout was above 60 % in all but two votes of this year. A higher quorum protects delegators from decisions that a handful of pools take during the holidays.\n\nOnly `quorum` changes.',
    messages: async (stage) => [await updateGovernance(stage, { quorum: '0.400000000000000000' })],
    mix: DIVIDED,
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'colors',
    day: 231,
    proposer: 'stranger',
    title: 'Change the colors of the logo',
    summary: 'From blue to teal. No funds. A vote on taste, for a quiet week.',
    mix: [0.55, 0.3, 0.15, 0],
    turnout: { pools: 0.4, withLargest: false, delegators: 60 },
    ending: 'rejected',
  },
  {
    key: 'freeze',
    day: 239,
    proposer: 'stranger',
    title: 'Freeze the accounts of everybody who voted against Cedar',
    summary:
      'A NO on the upgrade delayed it for all of us. The accounts that voted so should be frozen for six months.',
    mix: [0.03, 0.2, 0.02, 0.75],
    turnout: MANY,
    ending: 'rejected',
  },
]
