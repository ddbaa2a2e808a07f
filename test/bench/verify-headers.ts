// Measures the CPU time of ingest per height with and without VERIFY_HEADERS, for one chain of 150 validators.
import { startBenchChild } from './child.ts'
import { type Finding, measurePairs } from './measure.ts'
import type { Measurement } from './measurement.ts'

const HEIGHTS = 100
const VALIDATORS = 150

const CHAINS = [
  { name: 'verify-headers', changing: false, note: 'the same validators in all blocks' },
  { name: 'verify-headers-changing', changing: true, note: 'another validator set in each block' },
] as const

export const verifyHeaders: Measurement = {
  name: 'verify-headers',
  question: 'what do verified headers cost?',
  run: async ({ scope, pairs, log }) => {
    const directory = scope.directory('verify-headers')
    const findings: Finding[] = []
    for (const { name, changing, note } of CHAINS) {
      const node = startBenchChild(scope, 'signed-node')
      const ingest = startBenchChild(scope, 'ingest')
      const chain = { heights: HEIGHTS, validators: VALIDATORS, changing }
      const { url } = await node.ask<{ url: string }>('start', chain)
      const cost = (verifyHeaders: boolean) => async () => {
        const beforeMs = await ingest.ask<number>('cpuMs')
        await ingest.ask('backfill', { url, directory, passes: 1, verifyHeaders })
        return ((await ingest.ask<number>('cpuMs')) - beforeMs) / HEIGHTS
      }
      const sides = { subject: cost(true), baseline: cost(false) }
      await sides.subject()
      const { subject, baseline, ratio } = await measurePairs(sides, { pairs, log })
      await Promise.all([node.stop(), ingest.stop()])
      findings.push({
        name,
        unit: 'ms/height',
        ratio,
        target: null,
        bound: 'most',
        subject: { label: 'ingest with VERIFY_HEADERS', figure: subject },
        baseline: { label: 'ingest without', figure: baseline },
        notes: [`CPU time; ${HEIGHTS} heights, ${VALIDATORS} validators, ${note}`],
      })
    }
    return findings
  },
}
