// Checks prose for plain English with textlint: words that have a better one, long sentences, long lines.
import { TextlintKernel } from '@textlint/kernel'
import { MarkdownProcessor } from '@textlint/textlint-plugin-markdown/lib/src/MarkdownProcessor.js'
import terminology from 'textlint-rule-terminology'
import type { SourceFile } from '../support/source/source-tree.ts'
import { isGenerated } from './pages.ts'
import { lineLength, sentenceLength } from './rules.ts'
import { NOT_OURS, TERMS } from './words.ts'

const kernel = new TextlintKernel()

const spaced = (pattern: string): string => `(?:${pattern.replaceAll(' ', '\\s+')})`

/** The rule's own terms are the names of products and protocols, such as GitHub and JavaScript. */
const terms = TERMS.map(([pattern, replacement]) => [spaced(pattern), replacement])

/** Every problem of a Markdown page, as a line that names the place. */
export const proseProblems = async ({ path, text }: SourceFile): Promise<string[]> => {
  const { messages } = await kernel.lintText(text, {
    ext: '.md',
    filePath: path,
    plugins: [{ pluginId: 'markdown', plugin: { Processor: MarkdownProcessor } }],
    rules: [
      { ruleId: 'terminology', rule: terminology, options: { terms, exclude: NOT_OURS } },
      { ruleId: 'sentence-length', rule: sentenceLength },
      ...(isGenerated(path) ? [] : [{ ruleId: 'line-length', rule: lineLength }]),
    ],
  })
  return messages.map(({ loc, message }) => `${path}:${loc.start.line} ${message}`)
}
