// The last quarter and the open votes: reports, a tax, a release, and what users of the demo watch live.

import { spendFromPool } from '../../messages.ts'
import { updateStaking } from '../../scenario/chain-reads.ts'
import { ROLL } from '../../scenario/scene.ts'
import { percent, setDistribution, spend, upgrade } from '../messages.ts'
import { beforeLive, CLEAR, DIVIDED, type Entry, endingLive, MANY, MOST, NARROW } from '../story.ts'

export const AUTUMN: readonly Entry[] = [
  {
    key: 'treasury',
    day: 250,
    proposer: 'treasurer',
    title: 'Treasury report of the third quarter, and two decisions',
    summary: `Accepts the report and takes two decisions. Two messages, one vote: either both are executed or none.

1. Pay the accountants (2,500 ROLL) from the community pool.
2. Lower the unbonding period from 21 to 14 days, as in the reports of the last two quarters.`,
    messages: async (stage) => [
      spendFromPool(stage.governance, stage.person('treasurer').address, 2_500n * ROLL),
      await updateStaking(stage, { unbondingTime: { seconds: 1_209_600n, nanos: 0 } }),
    ],
    mix: [0.69, 0.2, 0.1, 0.01],
    ending: 'passed',
  },
  {
    key: 'communityTax',
    day: 264,
    proposer: 'treasurer',
    title: 'Raise the community tax from 2 % to 3 %',
    summary:
      'The pool pays for the explorer, the grants and the relayers, and it shrinks by about 70,000 ROLL a month. One point more closes the gap without new inflation.\n\nA delegator with 1,000 ROLL gives up about 1.2 ROLL a year.',
    messages: setDistribution({ communityTax: percent(3) }),
    mix: NARROW,
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'accessibility',
    day: 278,
    proposer: 'community',
    title: 'Make the wallet usable with a screen reader (110,000 ROLL)',
    summary:
      'Three of the four wallets cannot be used without a mouse. A team of two fixes the open-source one in five months: labels, focus order, contrast, and a voting page that works on a phone with large text.\n\nTwo blind delegators test every release, and are paid for it.',
    messages: spend('community', 110_000n),
    mix: CLEAR,
    ending: 'passed',
  },
  {
    key: 'maple',
    day: 293,
    proposer: 'core-team',
    title: 'Software upgrade v2.1 "Maple"',
    summary:
      'A small release: faster queries of votes, a fix for the fee estimate of multisignature accounts, and clearer errors. No change of the state, so the upgrade takes one block.',
    messages: upgrade('v2.1', 50),
    mix: [0.92, 0.02, 0.06, 0],
    ending: 'passed',
  },
  {
    key: 'lowQuorum',
    day: 309,
    proposer: 'stranger',
    title: 'Pay a fee of 5 ROLL to everybody who votes',
    summary:
      'Turnout falls in the autumn. A small fee for each ballot would bring delegators back. Opponents expect thousands of accounts with one ROLL each.',
    mix: [0.26, 0.5, 0.1, 0.14],
    ending: 'rejected',
  },
  {
    key: 'relayerBudget',
    day: 325,
    proposer: 'treasurer',
    title: 'Refund relayer fees of the year (38,000 ROLL)',
    summary:
      'The smaller proposal that was announced in spring: refunds of what relayers paid on the three busiest channels, by the figures that they published themselves.',
    messages: spend('treasurer', 38_000n),
    mix: [0.74, 0.14, 0.12, 0],
    ending: 'passed',
  },
  {
    key: 'minutes',
    day: 341,
    proposer: 'council',
    title: 'Publish the minutes of the council within one week',
    summary:
      'The council meets twice a month, and its minutes appear whenever there is time for them. One week is enough. Names of applicants for grants stay out of the minutes until a decision is taken.',
    mix: [0.88, 0.03, 0.09, 0],
    turnout: MOST,
    ending: 'passed',
  },
]

export const LIVE: readonly Entry[] = [
  {
    key: 'commissionAgain',
    day: endingLive(8, 5),
    proposer: 'council',
    title: 'Raise the commission floor from 3 % to 5 %',
    summary:
      'A year with a floor of 3 % was good for small operators, and no pool left the set because of it. The council proposes the floor that most pools have anyway.\n\nNo validator of today is below 5 %.',
    messages: async (stage) => [await updateStaking(stage, { minCommissionRate: percent(5) })],
    mix: [0.59, 0.32, 0.08, 0.01],
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'oracle',
    day: endingLive(11, 1),
    proposer: 'core-team',
    title: 'Expedited: extend the oracle agreement by one quarter (45,000 ROLL)',
    summary:
      'The price oracle serves two lending contracts, and its agreement ends this week. The new offer is 10 % lower than the last one.\n\nIf two thirds are not reached within a day, the vote continues under the regular rules.',
    messages: spend('core-team', 45_000n),
    expedited: true,
    mix: DIVIDED,
    secondMix: DIVIDED,
    turnout: MANY,
    ending: 'voting_period',
  },
  {
    key: 'roadmap',
    day: beforeLive(2.6),
    proposer: 'core-team',
    title: 'Roadmap signal: smart accounts before private transfers',
    summary: `Two large pieces of work, one team. This vote decides which of them comes first.

- **Yes:** smart accounts first. Recovery by friends, spending limits, one signature for many actions.
- **No:** private transfers first. Amounts are hidden, balances can be proved to an auditor.
- **Abstain:** leave it to the core team.

Either way, both are planned for 2027.`,
    mix: [0.5, 0.37, 0.12, 0.01],
    turnout: MANY,
    ending: 'voting_period',
  },
  {
    key: 'birch',
    day: beforeLive(1.4),
    proposer: 'core-team',
    title: 'Software upgrade v2.2 "Birch"',
    summary:
      'Birch prepares smart accounts: the account module gets an interface for other ways to sign. Nothing changes for existing accounts.\n\nThe release ran on the test network for three weeks without an incident. The upgrade takes about five minutes.',
    messages: upgrade('v2.2', 400),
    mix: [0.87, 0.04, 0.09, 0],
    turnout: MANY,
    ending: 'voting_period',
  },
  {
    key: 'yearbook',
    day: beforeLive(0.5),
    proposer: 'community',
    title: 'Print a yearbook of governance (12,000 ROLL)',
    summary:
      'All proposals of the year on paper, with the arguments of both sides and the tallies. 400 copies: one for each library that asks, the rest for delegators at the spring meeting.',
    messages: spend('community', 12_000n),
    mix: [0.47, 0.38, 0.13, 0.02],
    turnout: MOST,
    ending: 'voting_period',
  },
  {
    key: 'springHackathon',
    day: beforeLive(0.2),
    proposer: 'community',
    title: 'Sponsor the spring hackathon (60,000 ROLL)',
    summary:
      'The summer hackathon brought 38 projects, and 12 of them continue. The spring edition has one track only: tools for delegators.\n\nThe deposit comes from several people.',
    messages: spend('community', 60_000n),
    deposit: 300n * ROLL,
    topUp: { afterDays: 0.2 + 14 / 1_440, from: 'council', amount: 200n * ROLL },
    mix: [0.7, 0.2, 0.1, 0],
    turnout: MOST,
    ending: 'voting_period',
  },
  {
    key: 'library',
    day: beforeLive(0.1),
    proposer: 'stranger',
    title: 'Collect talks about the chain in one library',
    summary: 'A page with all recorded talks, with subtitles. Still collects its deposit.',
    deposit: 120n * ROLL,
    ending: 'deposit_period',
  },
]
