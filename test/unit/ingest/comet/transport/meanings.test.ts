// Tests what the error texts of nodes and gateways mean.
import { describe, expect, it } from 'vitest'
import { findMeaning, type Meaning } from '../../../../../ingest/comet/transport/meanings.ts'

const HEIGHT = 100

describe('an error text of a node', () => {
  it.each<[Meaning, string]>([
    ['pruned', 'height 100 is not available, lowest height is 900'],
    ['pruned', 'height is not available (requested height: 100, base height: 900)'],
    ['pruned', 'height is not available (requested height: 100)'],
    ['pruned', 'failed to load state at height 100; no commit info found (latest height: 900)'],
    ['pruned', 'block at height 100 has been pruned'],
    ['not_yet', 'height 100 must be less than or equal to the current blockchain height 99'],
    [
      'not_yet',
      "height must be less than or equal to the head of the node's blockchain (requested height: 100, blockchain height: 99)",
    ],
    ['not_yet', 'could not find results for height #100'],
    ['not_yet', 'could not find FinalizeBlock responses for height #100'],
    ['not_yet', 'failed to load state at height 100; version does not exist (latest height: 99)'],
    ['not_yet', 'cannot query with height in the future; please provide a valid height'],
    ['not_yet', 'height is not available (requested height: 100, blockchain height: 99)'],
    ['refused', 'Too many requests, please slow down'],
    ['refused', 'daily request limit exceeded'],
    ['refused', 'rate-limited: 20 per second'],
    ['unsupported', 'unknown query path: unknown request'],
    ['unsupported', 'rpc error: code = Unimplemented desc = unknown service cosmos.gov.v1.Query'],
    ['unsupported', 'Method not found'],
    ['pruned', 'node is not persisting finalize block responses'],
    ['fault', 'validators at height 100 not found'],
  ])('means %s: %s', (meaning, text) => {
    expect(findMeaning(text, HEIGHT)).toBe(meaning)
  })
})
