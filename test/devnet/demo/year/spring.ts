// The second quarter: a security release, contracts for grants, and a light client that expired.

import { ROLL } from '../../scenario/scene.ts'
import {
  migrateEscrow,
  percent,
  pinEscrow,
  recoverClient,
  setSlashing,
  spend,
  storeEscrow,
  upgrade,
} from '../messages.ts'
import { CLEAR, DIVIDED, type Entry, MANY, NARROW, REFUSED } from '../story.ts'

export const SPRING: readonly Entry[] = [
  {
    key: 'securityRelease',
    day: 74,
    proposer: 'security',
    title: 'Expedited: security release v1.1.1',
    summary:
      'A node with a full mempool can stop gossiping votes. No funds are at risk, but enough such nodes could halt the chain. The fix has four lines and was reviewed by two teams; details follow seven days after the upgrade.\n\nOperators: the signed tag is published, the binary is reproducible.',
    messages: upgrade('v1.1.1', 30),
    expedited: true,
    mix: [0.95, 0.01, 0.04, 0],
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'relayers',
    day: 80,
    proposer: 'treasurer',
    title: 'Refund relayer fees of the first half-year (60,000 ROLL)',
    summary:
      'Refunds what relayers paid on the three busiest channels.\n\n**Withdrawn during the vote:** the relayers published lower figures, so a smaller proposal follows with the report of the third quarter.',
    messages: spend('treasurer', 60_000n),
    mix: [0.5, 0.4, 0.1, 0],
    canceledAfterDays: 3.4,
    ending: 'canceled',
  },
  {
    key: 'escrowCode',
    day: 87,
    proposer: 'core-team',
    title: 'Store the code of the grants escrow, version 2',
    summary: `The escrow holds a grant until a verifier confirms that the work is done. Version 2 lets governance replace the verifier, which version 1 cannot.

1. This proposal stores the code.
2. A second proposal moves the escrow of the first season to it.

The build is reproducible, and its checksum is in the release notes. The audit found no issues of high severity.`,
    messages: storeEscrow,
    mix: [0.79, 0.05, 0.16, 0],
    ending: 'passed',
  },
  {
    key: 'clientRecovery',
    day: 95,
    proposer: 'core-team',
    title: 'Recover the expired IBC client of Meridian',
    summary: `The light client of Meridian expired on a weekend on which no relayer sent an update. Since then, transfers in both directions are stuck; no funds are lost.

If this passes, the expired client takes over the state of a new one with the same parameters. The channel continues, and pending transfers can be relayed or time out.

Please compare the two client IDs with the output of your own node before you vote.`,
    messages: recoverClient,
    mix: [0.91, 0.02, 0.07, 0],
    ending: 'passed',
  },
  {
    key: 'escrowMigration',
    day: 103,
    proposer: 'core-team',
    title: 'Move the grants escrow to version 2, with the treasurer as verifier',
    summary:
      'The second step for the grants escrow: the contract of the first season moves to the stored code. The council asked to hand over the verification, because it also selects the grants. The treasurer takes over.',
    messages: migrateEscrow,
    mix: CLEAR,
    ending: 'passed',
  },
  {
    key: 'calls',
    day: 110,
    proposer: 'stranger',
    title: 'Hold community calls on Saturdays only',
    summary:
      'Calls on weekdays exclude everybody with a job. One long call on Saturday, at 15:00 UTC, replaces the two short ones on Tuesday and Thursday. Minutes within three days.',
    mix: REFUSED,
    ending: 'rejected',
  },
  {
    key: 'jail',
    day: 117,
    proposer: 'core-team',
    title: 'Expedited: shorten the jail for downtime before the maintenance week',
    summary:
      'Three hosting regions announced maintenance for the same week. A validator that misses too many blocks is jailed, and today it may return at once; a minimum of ten minutes keeps a flapping node out until it is stable.\n\nExpedited because the week is near. If two thirds are not reached, the vote continues under the regular rules, and everybody votes again.',
    messages: setSlashing({ downtimeJailDuration: { seconds: 600n, nanos: 0 } }),
    expedited: true,
    mix: DIVIDED,
    secondMix: [0.64, 0.26, 0.1, 0],
    turnout: MANY,
    ending: 'passed',
  },
  {
    key: 'hackathon',
    day: 126,
    proposer: 'community',
    title: 'Sponsor the summer hackathon (75,000 ROLL)',
    summary:
      'Prizes for three tracks: contracts, tools for delegators, and accessibility. Two hundred participants came last year, and four of the projects are still maintained.\n\nPrizes are 60,000 ROLL; the rest is for the venue. What is not paid out returns to the pool.',
    messages: spend('community', 75_000n),
    deposit: 200n * ROLL,
    topUp: { afterDays: 1.5, from: 'council', amount: 300n * ROLL },
    mix: [0.68, 0.2, 0.11, 0.01],
    ending: 'passed',
  },
  {
    key: 'mascot',
    day: 134,
    proposer: 'stranger',
    title: 'Make the heron the mascot of the chain',
    summary: 'No funds, only a bird. The deposit is not complete yet: please help.',
    deposit: 60n * ROLL,
    ending: 'dropped',
  },
  {
    key: 'pinned',
    day: 141,
    proposer: 'core-team',
    title: 'Pin the code of the grants escrow',
    summary:
      'A pinned code stays in the memory of every node, so that calls use less gas. The escrow is called by each payout, and its code is small.',
    messages: pinEscrow,
    mix: [0.6, 0.05, 0.35, 0],
    ending: 'passed',
  },
  {
    key: 'slashFraction',
    day: 148,
    proposer: 'security',
    title: 'Raise the penalty for signing twice to 10 %',
    summary:
      'Signing two blocks at one height is the worst mistake that a validator can make, and nearly always one of a hasty failover. The penalty is 5 % today.\n\nOpponents say that delegators pay for it too. Supporters say that this is the point.',
    messages: setSlashing({ slashFractionDoubleSign: Buffer.from(percent(10)) }),
    mix: [0.31, 0.55, 0.12, 0.02],
    turnout: MANY,
    ending: 'rejected',
  },
  {
    key: 'incidents',
    day: 156,
    proposer: 'council',
    title: 'Publish incident reports within seven days',
    summary:
      'Operators that miss more than 5 % of the blocks of a day publish what happened, what it meant for delegators, and what changes. The template has five questions. The register is public.\n\nNothing in the protocol enforces it: this vote records what delegators expect.',
    mix: NARROW,
    ending: 'passed',
  },
]
