// Tests the option of a vote in the format of every SDK version.
import { describe, expect, it } from 'vitest'
import { parseVoteOptions } from '../../../../ingest/derive/vote-options.ts'

const all = (option: string) => [{ option, weight: '1.000000000000000000' }]

describe('the option of a vote', () => {
  it.each([
    ['SDK 0.50: a JSON array', '[{"option":1,"weight":"1.000000000000000000"}]', all('yes')],
    ['SDK 0.43–0.45: a JSON object', '{"option":3,"weight":"1.000000000000000000"}', all('no')],
    [
      'SDK 0.43–0.45: a line each',
      '{"option":1,"weight":"0.700000000000000000"}\n{"option":2,"weight":"0.300000000000000000"}',
      [
        { option: 'yes', weight: '0.700000000000000000' },
        { option: 'abstain', weight: '0.300000000000000000' },
      ],
    ],
    [
      'SDK 0.46 and 0.47: compact text',
      'option:VOTE_OPTION_YES weight:"0.200000000000000000" \noption:VOTE_OPTION_NO weight:"0.800000000000000000"',
      [
        { option: 'yes', weight: '0.200000000000000000' },
        { option: 'no', weight: '0.800000000000000000' },
      ],
    ],
    ['before SDK 0.43: the bare name', 'VOTE_OPTION_NO_WITH_VETO', all('no_with_veto')],
    ['an option of a later version', '[{"option":7,"weight":"1"}]', all('option_7')],
    ['an option omitted because it is 0', '[{"weight":"1"}]', all('option_0')],
  ])('is parsed: %s', (_, text, expected) => {
    expect(parseVoteOptions(text)).toEqual(expected)
  })

  it.each([
    ['an empty list', '[]'],
    ['broken JSON', '[{"option":1'],
    ['a weight that is not a decimal', '[{"option":1,"weight":"half"}]'],
    ['more than 18 places', '[{"option":1,"weight":"0.1234567890123456789"}]'],
    ['a list with one invalid part', 'VOTE_OPTION_YES\nperhaps'],
    ['no weight', '[{"option":1}]'],
    ['a negative option', '[{"option":-1,"weight":"1"}]'],
  ])('is never guessed from %s', (_, text) => {
    expect(parseVoteOptions(text)).toBeUndefined()
  })

  it.each(['constructor', '__proto__', 'toString'])(
    'is undecodable if it is %s, which every object inherits',
    (name) => {
      const json = JSON.stringify([{ option: name, weight: '1' }])
      for (const text of [name, `option:${name} weight:"1"`, json]) {
        expect(parseVoteOptions(text)).toBeUndefined()
      }
    },
  )
})
