// The textlint rules that are this project's own: how long a sentence and a line may be.
import type { TextlintKernelRule } from '@textlint/kernel'
import { split } from 'sentence-splitter'

export const MOST_WORDS = 25
const LONGEST_LINE = 139

type Rule = Extract<TextlintKernelRule['rule'], (...values: never[]) => unknown>

/** Code as one word of the same length, so that a dot in it ends no sentence. */
export const hideCode = (source: string): string =>
  source.replaceAll(/``.*?``|`[^`]*`/gs, ({ length }) => 'x'.repeat(length))

/** A link counts with its text alone. Punctuation is no word. */
export const countWords = (sentence: string): number =>
  sentence
    .replaceAll(/\]\([^)]*\)/g, ']')
    .split(/\s+/)
    .filter((word) => /[\p{L}\p{N}]/u.test(word)).length

/** Sentences of paragraphs, list items and table cells. */
export const sentenceLength: Rule = (context) => {
  const { Syntax, RuleError, locator, getSource, report } = context
  const check = (node: Parameters<typeof report>[0]): void => {
    for (const { type, raw, range } of split(hideCode(getSource(node)))) {
      const words = countWords(raw)
      if (type !== 'Sentence' || words <= MOST_WORDS) continue
      const message = `${words} words in one sentence, at most ${MOST_WORDS}`
      report(node, new RuleError(message, { padding: locator.at(range[0]) }))
    }
  }
  return { [Syntax.Paragraph]: check, [Syntax.TableCell]: check }
}

/** Lines of text, tables and code. */
export const lineLength: Rule = (context) => {
  const { Syntax, RuleError, locator, getSource, report } = context
  return {
    [Syntax.Document](node) {
      let start = 0
      for (const { length } of getSource(node).split('\n')) {
        if (length > LONGEST_LINE) {
          const message = `${length} characters in one line, at most ${LONGEST_LINE}`
          report(node, new RuleError(message, { padding: locator.at(start) }))
        }
        start += length + 1
      }
    },
  }
}
