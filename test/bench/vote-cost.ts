// Compares the cost of one more vote at a million ballots with the cost at ten thousand.
// It measures the fold with its rows, and the open proposals of ingest.
import { type BenchChild, startBenchChild } from './child.ts'
import { type Finding, measurePairs } from './measure.ts'
import type { BenchContext, Measurement } from './measurement.ts'
import { scoped } from './scope.ts'

const FEW = 10_000
const MANY = 1_000_000
/** Few enough that no hash table doubles during the measurement: that cost belongs to filling. */
const VOTES = 10_000
/** The small proposal is filled again before it has grown by half. */
const RENEW_AFTER = FEW / 2

const PARTS = [
  { kind: 'projections', name: 'vote-cost', what: 'a vote in the fold, with its rows' },
  { kind: 'ingest', name: 'vote-cost-ingest', what: 'a vote in the open proposals of ingest' },
] as const

type Part = (typeof PARTS)[number]

const measureCost = async (child: BenchChild): Promise<number> =>
  (await child.ask<{ microseconds: number }>('cast', { votes: VOTES })).microseconds

const measure = ({ kind, name, what }: Part, { pairs, log }: BenchContext): Promise<Finding> =>
  scoped(async (scope) => {
    const [few, many] = [startBenchChild(scope, 'votes'), startBenchChild(scope, 'votes')]
    await few.ask('prepare', { kind, ballots: FEW, renewAfter: RENEW_AFTER })
    const { megabytes } = await many.ask<{ megabytes: number }>('prepare', {
      kind,
      ballots: MANY,
      renewAfter: MANY,
    })
    // Warms up both sides.
    for (const child of [few, many]) await measureCost(child)
    const measured = await measurePairs(
      { subject: () => measureCost(many), baseline: () => measureCost(few) },
      { pairs, log },
    )
    return {
      name,
      unit: 'µs/vote',
      subject: { label: `${what}, after ${MANY} ballots`, figure: measured.subject },
      baseline: { label: `the same, after ${FEW}`, figure: measured.baseline },
      ratio: measured.ratio,
      target: 1.5,
      bound: 'most',
      notes: [
        `${VOTES} votes of voters without a ballot, two delegations each, a hundred in a commit`,
        `a process that holds ${MANY} ballots takes ${megabytes.toFixed(0)} MB`,
      ],
    }
  })

const run = async (context: BenchContext): Promise<Finding[]> => {
  const findings: Finding[] = []
  for (const part of PARTS) findings.push(await measure(part, context))
  return findings
}

export const voteCost: Measurement = {
  name: 'vote-cost',
  question: 'does a vote cost more with more ballots?',
  run,
}
