// The first quarter of the story: a young chain gives itself rules, funds its tools and refuses its first scam.
import { updateStaking } from '../../scenario/chain-reads.ts'
import { percent, setMint, spend, upgrade } from '../messages.ts'
import { CLEAR, DIVIDED, type Entry, FEW, MANY, MOST, NARROW, VETOED } from '../story.ts'

export const WINTER: readonly Entry[] = [
  {
    key: 'constitution',
    day: 2,
    proposer: 'council',
    title: 'Adopt the first constitution of the chain',
    summary: `## What
This proposal adopts the text on the governance page as the first constitution of the chain.

## Why
Delegators asked for one page that says what governance may decide and what it may not. The draft was open for comment for six weeks, and 41 operators answered.

## If it passes
Nothing changes in the protocol. Later proposals may cite the constitution by article.`,
    mix: CLEAR,
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'juniper',
    day: 9,
    proposer: 'core-team',
    title: 'Software upgrade v1.1 "Juniper"',
    summary: `Juniper is the first scheduled upgrade.

- Contract queries are twice as fast, because compiled code stays in memory.
- Blocks are gossiped in smaller parts, so validators with slow links miss fewer of them.
- State sync snapshots are made every 1,000 blocks.

The release was reviewed by two independent teams and ran on the test network for four weeks. **Operators:** build from the signed tag, and do not upgrade early.`,
    messages: upgrade('v1.1', 45),
    mix: [0.93, 0.01, 0.06, 0],
    ending: 'passed',
  },
  {
    key: 'explorer',
    day: 16,
    proposer: 'community',
    title: 'Fund a public block explorer for one year (180,000 ROLL)',
    summary: `The explorer that most of us use is run by volunteers, and its server bill is now higher than their donations.

| item | ROLL |
|---|---|
| hosting, three regions | 84,000 |
| maintenance, one person half time | 90,000 |
| reserve | 6,000 |

The source stays open, the API stays free, and a report is due after six months.`,
    messages: spend('community', 180_000n),
    mix: [0.71, 0.18, 0.1, 0.01],
    ending: 'passed',
  },
  {
    key: 'conduct',
    day: 24,
    proposer: 'council',
    title: 'Adopt a code of conduct for governance discussions',
    summary:
      'The forum has grown, and so has the number of threads that end in insults. The code is one page: argue about proposals, not about people; disclose conflicts of interest; no campaigning in private messages.\n\nThree moderators are elected each half-year. They may lock threads, and they may not delete them.',
    mix: DIVIDED,
    ending: 'passed',
  },
  {
    key: 'inflation',
    day: 31,
    proposer: 'treasurer',
    title: 'Lower the maximum inflation from 20 % to 12 %',
    summary: `The bonded share has been above the goal since the second month, so inflation already sits near its lower bound. The upper bound only matters in a bad month, and then 20 % would punish everybody who does not stake.

Only \`inflation_max\` changes. All other parameters of the module stay as they are.`,
    messages: setMint({ inflationMax: percent(12) }),
    mix: NARROW,
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'doubling',
    day: 38,
    proposer: 'stranger',
    title: 'Double your stake with Rollcall Plus',
    summary:
      'Send your ROLL to the address in the announcement channel and receive twice the amount within one day! This offer is official and limited. Vote YES to make the program permanent.',
    mix: VETOED,
    turnout: MANY,
    ending: 'rejected',
  },
  {
    key: 'commission',
    day: 45,
    proposer: 'council',
    title: 'Set a commission floor of 3 % for all validators',
    summary:
      'Validators without commission cannot pay for backups, and when they stop, their delegators find out last. A floor of 3 % raises `min_commission_rate`; no validator of today is below it.\n\nThe floor also protects small operators: they no longer compete with pools that are free for a season.',
    messages: async (stage) => [await updateStaking(stage, { minCommissionRate: percent(3) })],
    mix: [0.62, 0.27, 0.1, 0.01],
    ending: 'passed',
  },
  {
    key: 'translations',
    day: 52,
    proposer: 'community',
    title: 'Set up a working group for translations',
    summary:
      'Should the documentation be kept in more than one language? No funds are asked for. Five volunteers are ready to begin with Spanish, Korean and Turkish.',
    mix: CLEAR,
    turnout: FEW,
    ending: 'rejected',
  },
  {
    key: 'bridgeAudit',
    day: 58,
    proposer: 'security',
    title: 'Pay for a second audit of the bridge contracts (9,000,000 ROLL)',
    summary:
      'The first audit found two issues of medium severity, and both are fixed. A second team should look at the fixes before the limits are raised.\n\n*Correction of the author, after the vote began:* the amount is a mistake. The offer is 90,000 ROLL, and the community pool has less than what is written above.',
    messages: spend('security', 9_000_000n),
    mix: DIVIDED,
    turnout: MOST,
    ending: 'failed',
  },
  {
    key: 'bridgeAuditAgain',
    day: 66,
    proposer: 'security',
    title: 'Pay for a second audit of the bridge contracts (90,000 ROLL)',
    summary:
      'The same audit as in the proposal that failed on execution, now with the amount of the offer: 90,000 ROLL. Half is due at the start, half with the report. The council account pays the second half back if the report is late by more than a month.',
    messages: spend('security', 90_000n),
    mix: [0.86, 0.06, 0.08, 0],
    ending: 'passed',
  },
]
