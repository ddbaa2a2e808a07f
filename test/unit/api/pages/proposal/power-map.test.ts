// The power map of a vote: its drawing, its text alternative, and its size.
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { renderBlocks } from '../../../../../api/document/html/render.ts'
import { writePowerMap } from '../../../../../api/pages/proposal/power-map.ts'
import { MAX_VALIDATORS, type PowerMap } from '../../../../../api/read/queries/power-map.ts'
import { markupOf } from '../../../../../infra/base/html/html.ts'
import { proposalData } from '../../../../support/api/html-data.ts'

const AT = { baseUrl: '', params: {}, unit: { name: 'ATOM', denom: 'uatom', decimals: 6 } }
const NONE = { yes: '0', no: '0', noWithVeto: '0', abstain: '0' }
const million = (count: number): string => `${count}000000`

const validator = (name: string, changes: Partial<PowerMap['validators'][number]>) => ({
  operatorAddress: `testvaloper1${name}`,
  moniker: name,
  own: NONE,
  delegators: NONE,
  nonVoting: '0',
  ...changes,
})

const render = (powerMap: PowerMap | null): string => {
  const data = proposalData('text')
  const section = writePowerMap({ ...data, extras: { ...data.extras, powerMap } }, AT)
  return markupOf(renderBlocks([section], AT))
}

const MAP: PowerMap = {
  validators: [
    validator('Large', {
      own: { ...NONE, yes: million(50) },
      delegators: { ...NONE, no: million(10) },
    }),
    validator('Split', { own: { ...NONE, yes: million(10), abstain: million(10) } }),
    validator('Quiet', { nonVoting: million(15) }),
  ],
  rest: { count: 3, own: { ...NONE, noWithVeto: million(5) }, delegators: NONE, nonVoting: '0' },
  unknown: 0,
}

describe('the power map of a vote', () => {
  it('has one rectangle with a name for each validator, and one for all other validators', () => {
    const titles = [...render(MAP).matchAll(/<g><title>(.*?)<\/title>/g)].map(([, title]) => title)
    expect(titles).toEqual([
      'Large: Yes, 60\u00a0ATOM (60\u202f%); 10\u00a0ATOM voted by delegators',
      'Split: Split vote, 20\u00a0ATOM (20\u202f%)',
      'Quiet: Did not vote, 15\u00a0ATOM (15\u202f%)',
      '3 others: 5\u00a0ATOM (5\u202f%)',
    ])
  })

  it('does not mark a validator as non-voting if its delegators voted with all of its power', () => {
    const replaced = validator('Replaced', { delegators: { ...NONE, yes: million(5) } })
    const shown = render({ ...MAP, validators: [replaced], rest: null })
    expect(shown).toContain('<title>Replaced: Voted by delegators, 5\u00a0ATOM')
  })

  it('fills a rectangle by the vote of its validator, and marks the votes of delegators', () => {
    const [large = '', split = '', quiet = ''] = render(MAP).split('<g>').slice(1)
    expect(large).toMatch(/class="yes"[^>]*width="60%" height="100%"/)
    expect(large).toMatch(/class="no" ([^>]*)\/><rect class="overridden" \1\/>/)
    expect(split).toMatch(/class="yes".*class="abstain"/)
    expect(quiet).toMatch(/class="non-voting".*class="outline non-voting"/)
  })

  it('has a text alternative with shares that add up to 100 %', () => {
    const shown = render(MAP)
    expect(shown).toContain('role="group" aria-labelledby="power-map-name power-map-description"')
    expect(shown).toContain(
      'Yes 60\u202f%, No 10\u202f%, No with veto 5\u202f%, Abstain 10\u202f%, Did not vote 15\u202f%. Largest: Large: Yes',
    )
    expect(shown).toContain('href="#votes"')
    expect(shown).toContain('href="#non-voting"')
  })

  it('links each rectangle to its validator, and names the largest below with their votes', () => {
    const shown = render(MAP)
    const links = [...shown.matchAll(/<a href="\/pools\/testvaloper1(\w+)"[^>]*><g>/g)]
    expect(links.map(([, name]) => name)).toEqual(['Large', 'Split', 'Quiet'])
    const [, list = ''] = shown.split('<ol')
    expect(list.replace(/<[^>]+>/g, '')).toContain(
      'Large Yes, 60\u202f%Split Split vote, 20\u202f%',
    )
  })

  it('is reached by keyboard only where a rectangle has a label', () => {
    const validators = Array.from({ length: 40 }, (_, n) =>
      validator(`${n}`, { nonVoting: million(n === 0 ? 1_000 : 1) }),
    )
    const shown = render({ validators, rest: null, unknown: 0 })
    expect(shown.match(/<a href="[^"]*"><g>/g)).toHaveLength(1)
    expect(shown.match(/tabindex="-1" aria-hidden="true"><g>/g)).toHaveLength(39)
  })

  it('is absent before the voting period', () => {
    expect(render(null)).toBe('')
    expect(render({ validators: [], rest: null, unknown: 0 })).toBe('')
  })

  it('shows the number of validators with unknown power', () => {
    expect(render({ ...MAP, unknown: 1 })).toContain(
      'Not shown: 1 validator with unknown voting power',
    )
  })

  it('has no inline styles, and escapes names', () => {
    const hostile = '"><script>alert(1)</script>\u202e<b style="x">'
    const shown = render({ ...MAP, validators: [validator(hostile, { nonVoting: million(5) })] })
    expect(shown).not.toMatch(/<script|<b |\u202e|<[^>]* style=/)
    expect(shown).toContain('&lt;script&gt;')
  })

  it('stays small with the maximum number of validators and all kinds of votes', () => {
    const every = { yes: million(4), no: million(3), noWithVeto: million(2), abstain: million(1) }
    const validators = Array.from({ length: MAX_VALIDATORS }, (_, n) =>
      validator(`A validator with a name of usual length ${n}`, { own: every, delegators: every }),
    )
    const shown = render({ ...MAP, validators })
    expect(shown.length).toBeLessThan(130_000)
    expect(gzipSync(shown).length).toBeLessThan(14_000)
  })
})
