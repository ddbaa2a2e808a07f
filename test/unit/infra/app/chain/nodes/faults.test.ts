// Tests which requests a fault of a node strikes, and how often.
import { describe, expect, it } from 'vitest'
import {
  createFaults,
  type FaultName,
  type NodeRequest,
  strikeOnce,
} from '../../../../../../infra/app/chain/nodes/faults.ts'

const request = (method: string, height = 0): NodeRequest => ({ method, height, path: '' })
const names = (strikes: readonly { name: FaultName }[]) => strikes.map(({ name }) => name)

describe('a fault', () => {
  it('strikes only at its height, and only as often as it should', () => {
    const faults = createFaults()
    faults.set('invalid JSON', { height: 7, times: 2 })
    expect(names(faults.strike(request('block', 6)))).toEqual([])
    expect(names(faults.strike(request('block', 7)))).toEqual(['invalid JSON'])
    expect(names(faults.strike(request('block_results', 7)))).toEqual(['invalid JSON'])
    expect(names(faults.strike(request('block', 7)))).toEqual([])
  })

  it.each<[FaultName, string, string]>([
    ['impossible time', 'block', 'commit'],
    ['results of another height', 'block_results', 'block'],
    ['wrong chain id', 'status', 'block_results'],
  ])('%s strikes %s, and not %s', (name, struck, spared) => {
    const faults = createFaults()
    faults.set(name, { times: 1 })
    expect(names(faults.strike(request(spared, 3)))).toEqual([])
    expect(names(faults.strike(request(struck, 3)))).toEqual([name])
  })

  it('of a fork strikes from its height on', () => {
    const faults = createFaults()
    faults.set('forked block', { height: 5 })
    const struck = [4, 5, 6].map((height) => faults.strike(request('block', height)).length)
    expect(struck).toEqual([0, 1, 1])
  })

  it('of a websocket strikes no request, and a request no websocket', () => {
    const faults = createFaults()
    faults.set('no websocket', { times: 1 })
    faults.set('HTTP 500', {})
    expect(names(faults.strike(request('status')))).toEqual(['HTTP 500'])
    expect(faults.strikesSocket('no websocket')).toBe(true)
    expect(faults.strikesSocket('no websocket')).toBe(false)
  })

  it('that breaks an answer leaves the others for later requests', () => {
    const faults = createFaults()
    for (const name of ['hang', 'HTTP 500', 'skips a height'] as const) {
      faults.set(name, { times: 1 })
    }
    expect(names(faults.strike(request('block', 3)))).toEqual(['HTTP 500', 'skips a height'])
    expect(names(faults.strike(request('block', 3)))).toEqual(['hang'])
    expect(names(faults.strike(request('block', 3)))).toEqual([])
  })

  it('of one request prunes its own height', () => {
    expect(strikeOnce('pruned heights', request('block', 9))).toEqual([
      { name: 'pruned heights', height: 10 },
    ])
    expect(strikeOnce('impossible time', request('status'))).toEqual([])
  })
})
