// Tests of the path from a trusted header to a later one: allowed hops, and when there is no path.
import { describe, expect, it } from 'vitest'
import {
  hashText,
  type LightBlock,
  readLightBlock,
} from '../../../../../infra/base/proof/light-block.ts'
import { pathFrom } from '../../../../../infra/base/proof/trust.ts'
import {
  LIGHT_CHAIN_ID,
  type LightBlockOptions,
  lightBlockJson,
  type Member,
} from '../../../../support/simulator/signatures.ts'

const EARLY: Member[] = ['a', 'b', 'c'].map((name) => ({ name, power: 10 }))
const MIDDLE: Member[] = ['b', 'c', 'd'].map((name) => ({ name, power: 10 }))
const LATE: Member[] = ['d', 'e', 'f'].map((name) => ({ name, power: 10 }))

const blockAt = (options: LightBlockOptions): LightBlock =>
  readLightBlock(lightBlockJson(options), LIGHT_CHAIN_ID)

const first = blockAt({ height: 1, members: EARLY })
const middle = blockAt({ height: 50, members: MIDDLE, next: LATE })
const late = blockAt({ height: 51, members: LATE })
const last = blockAt({ height: 100, members: LATE })
const trusted = (block: LightBlock) => ({ height: block.header.height, hash: hashText(block.hash) })
const heights = (path: readonly LightBlock[]) => path.map(({ header }) => Number(header.height))

describe('the path from a trusted header to a later one', () => {
  it('is the header itself if the header is trusted', () => {
    expect(heights(pathFrom(trusted(last), last, []))).toEqual([100])
  })

  it('skips headers while more than a third of the trusted power signed', () => {
    expect(heights(pathFrom(trusted(first), middle, [first]))).toEqual([1, 50])
  })

  it('uses intermediate light blocks, in any order, if the validators changed too much for one hop', () => {
    const between = [late, first, middle]
    expect(heights(pathFrom(trusted(first), last, between))).toEqual([1, 50, 51, 100])
  })

  it('follows the next validators of each header, from one height to the next', () => {
    expect(heights(pathFrom(trusted(middle), late, [middle]))).toEqual([50, 51])
    const other = blockAt({ height: 50, members: MIDDLE })
    expect(() => pathFrom(trusted(other), late, [other])).toThrow('No light block after height 50')
  })

  it('does not exist if a third of the trusted power or less signed', () => {
    expect(() => pathFrom(trusted(first), last, [first])).toThrow(
      'No light block after height 1 is signed by more than a third of the trusted power',
    )
    const third = blockAt({ height: 2, members: [...LATE, { name: 'a', power: 1 }] })
    expect(() => pathFrom(trusted(first), third, [first])).toThrow('No light block after height 1')
  })

  it('does not exist from a header that is later, unknown, or different at that height', () => {
    expect(() => pathFrom(trusted(last), first, [last])).toThrow(
      'The trusted header is of height 100, after the header 1 of the proof',
    )
    expect(() => pathFrom({ height: 7n, hash: 'AB' }, last, [first])).toThrow(
      'There is no light block of the trusted height 7.',
    )
    expect(() => pathFrom({ ...trusted(first), hash: 'AB'.repeat(32) }, last, [first])).toThrow(
      'The header of height 1 does not have the trusted hash ABAB',
    )
  })

  it('never continues with a block that is not later in time', () => {
    const early = blockAt({ height: 60, members: EARLY, time: '2026-11-20T00:00:00Z' })
    expect(() => pathFrom(trusted(first), early, [first])).toThrow('No light block after height 1')
  })

  it('is not extended by trusted validators who voted for no block', () => {
    const others = ['d', 'e'].map((name) => ({ name, power: 30 }))
    const members = [...['b', 'c'].map((name) => ({ name, power: 1 })), ...others]
    const decided = { height: 50, members }
    expect(heights(pathFrom(trusted(first), blockAt(decided), [first]))).toEqual([1, 50])
    const other = blockAt({ ...decided, votes: { b: 'nil', c: 'nil' } })
    expect(() => pathFrom(trusted(first), other, [first])).toThrow('No light block after height 1')
  })
})

describe('a light block', () => {
  it.each(['nil', 'absent'] as const)('is not decided with a third of the power %s', (vote) => {
    expect(() => blockAt({ height: 1, members: EARLY, votes: { a: vote } })).toThrow(
      'Power of 20 of 30 signed height 1: not more than two thirds.',
    )
  })
})
