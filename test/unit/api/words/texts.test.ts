import { describe, expect, it } from 'vitest'
import { readEscapes } from '../../../../api/words/texts.ts'

const raw = String.raw

describe('a text that was escaped once too often', () => {
  it.each([
    ['a blank line', raw`First.\n\nSecond.`, 'First.\n\nSecond.'],
    ['Windows line ends', raw`# One\r\n\r\n## Two`, '# One\n\n## Two'],
    ['a list', raw`Changes:\n- one\n- two`, 'Changes:\n- one\n- two'],
    ['a sentence that starts in lower case', raw`Yes.\nno more`, 'Yes.\nno more'],
    ['lines in lower case', raw`one\ntwo words\nthree`, 'one\ntwo words\nthree'],
    ['other scripts', raw`제안\n요약`, '제안\n요약'],
    ['tabs and quotes', raw`A\n\n\t\"quoted\"`, 'A\n\n\t"quoted"'],
    ['characters by their number', raw`It\u2019s\n\ngood`, 'It’s\n\ngood'],
    ['a block of code', 'A\\n```\\nx = 1\\n```\\nB', 'A\n```\nx = 1\n```\nB'],
    ['code spans beside them', 'A\\n\\n`\\n` is a line end', 'A\n\n`\\n` is a line end'],
    ['a path beside them', raw`See C:\new\table here.\n\nThen`, `See C:\\new\\table here.\n\nThen`],
    ['a label of one letter', raw`Q:\nWhy?\nA:\nBecause`, 'Q:\nWhy?\nA:\nBecause'],
  ])('has its line ends: %s', (_, text, lines) => {
    expect(readEscapes(text)).toBe(lines)
  })

  it.each([
    ['a line end of its own', 'A regular expression such as \\n\nand more.'],
    ['a carriage return of its own', 'One\\n\\nTwo\rThree'],
    ['a path', raw`The folder C:\new is used.`],
    ['paths', raw`From C:\new\notes to "D:\nodes\release"`],
    ['a code span', 'Split the text at `\\n` and `\\r\\n`.'],
    ['a code span with two marks', 'Split at ``a`\\n\\nb`` here'],
    ['a quoted escape', raw`Use "\n" or '\r\n' as the separator`],
    ['a character class', raw`Match [^\n]+ and [\r\n]`],
    ['an escaped backslash', raw`Write \\n for a line end`],
    ['formulas', raw`The operators \nabla and $\nu$ and \rho`],
    ['other backslashes', raw`\t is a tab, \"quoted\", \u2019`],
  ])('is left alone if it is none: %s', (_, text) => {
    expect(readEscapes(text)).toBe(text)
  })

  // In quadratic time the test exceeds its limit.
  it('is read in time that grows with its length', () => {
    const many = [
      raw`a\n"\[^C:\new`.repeat(50_000),
      '`'.repeat(200_000) + raw`\n`,
      raw`"\n\n\n`.repeat(50_000),
    ]
    const lines = many.map((text) => readEscapes(text).split('\n').length)
    expect(lines).toEqual([2, 2, 1])
  })
})
