// Tests of the path from a trusted header to a later one: allowed hops, and when there is no path.
import { describe, expect, it } from 'vitest'
import {
  hashText,
  type LightBlock,
  readLightBlock,
} from '../../../../../infra/base/proof/light-block.ts'
import { ensurePath } from '../../../../../infra/base/proof/trust.ts'
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
const follow = (from: ReturnType<typeof trusted>, ...path: LightBlock[]) => ensurePath(from, path)
const NO_HOP = 'No light block after height'

describe('the path from a trusted header to a later one', () => {
  it('needs light blocks in between, in their order, if the validators changed too much for one hop', () => {
    follow(trusted(first), first, middle, late, last)
    expect(() => follow(trusted(first), first, late, middle, last)).toThrow(`${NO_HOP} 1 `)
    expect(() => follow(trusted(middle), middle, late, middle)).toThrow(`${NO_HOP} 51 `)
  })

  it('follows the next validators of each header, from one height to the next', () => {
    follow(trusted(middle), middle, late)
    const other = blockAt({ height: 50, members: MIDDLE })
    expect(() => follow(trusted(other), other, late)).toThrow(`${NO_HOP} 50 `)
  })

  it('does not exist if a third of the trusted power or less signed', () => {
    expect(() => follow(trusted(first), first, last)).toThrow(
      `${NO_HOP} 1 is signed by more than a third of the trusted power`,
    )
    const third = blockAt({ height: 2, members: [...LATE, { name: 'a', power: 1 }] })
    expect(() => follow(trusted(first), first, third)).toThrow(`${NO_HOP} 1 `)
  })

  it('does not exist from a header that is later, unknown, or different at that height', () => {
    expect(() => follow(trusted(last), last, first)).toThrow(
      'The trusted header is of height 100, after the header 1 of the proof',
    )
    expect(() => follow({ height: 7n, hash: 'AB' }, first, last)).toThrow(
      'There is no light block of the trusted height 7.',
    )
    expect(() => follow({ ...trusted(first), hash: 'AB'.repeat(32) }, first, last)).toThrow(
      'The header of height 1 does not have the trusted hash ABAB',
    )
  })

  it('never continues with a block that is not later in time', () => {
    const early = blockAt({ height: 60, members: EARLY, time: '2026-11-20T00:00:00Z' })
    expect(() => follow(trusted(first), first, early)).toThrow(`${NO_HOP} 1 `)
  })

  it('is not extended by trusted validators who voted for no block', () => {
    const others = ['d', 'e'].map((name) => ({ name, power: 30 }))
    const members = [...['b', 'c'].map((name) => ({ name, power: 1 })), ...others]
    const decided = { height: 50, members }
    follow(trusted(first), first, blockAt(decided))
    const other = blockAt({ ...decided, votes: { b: 'nil', c: 'nil' } })
    expect(() => follow(trusted(first), first, other)).toThrow(`${NO_HOP} 1 `)
  })
})

describe('a light block', () => {
  it.each(['nil', 'absent'] as const)('is not decided with a third of the power %s', (vote) => {
    expect(() => blockAt({ height: 1, members: EARLY, votes: { a: vote } })).toThrow(
      'Power of 20 of 30 signed height 1: not more than two thirds.',
    )
  })
})
