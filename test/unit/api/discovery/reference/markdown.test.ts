// Tests of the API reference as Markdown: it is complete, its links have targets, and it is valid CommonMark.
import markdownIt from 'markdown-it'
import { describe, expect, it } from 'vitest'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import { referenceMarkdown } from '../../../../../api/discovery/reference/markdown.ts'
import { OPERATIONS } from '../../../../../api/resources/operations.ts'
import { aboutService } from '../../../../support/api/discovery.ts'

const about = aboutService()
const text = referenceMarkdown.write(about)
const api = createOpenApi(about)

describe('the reference as Markdown', () => {
  it('has every operation with its address, a command and its example, and every schema', () => {
    for (const [path, { get }] of Object.entries(api.paths)) {
      expect(text).toContain(`### ${get.summary}\n\n\`GET ${path}\` (${get.operationId})`)
    }
    for (const name of Object.keys(api.components.schemas))
      expect(text).toContain(`\n### ${name}\n`)
    expect(text.match(/```sh\ncurl -s 'https?:/g)).toHaveLength(Object.keys(api.paths).length)
    const withJson = OPERATIONS.filter(({ answer }) => answer !== null)
    expect(text.match(/```json\n/g)).toHaveLength(withJson.length)
  })

  it('links only to sections that it has', () => {
    const targets = [...text.matchAll(/\]\(#([^)]+)\)/g)].map(([, id]) => id)
    const sections = [...text.matchAll(/^### (\S+)$/gm)].map(([, name = '']) => name.toLowerCase())
    expect(targets.length).toBeGreaterThan(40)
    expect(targets.filter((id) => !sections.includes(id ?? ''))).toEqual([])
  })

  it('has tables in which every row has all cells', () => {
    const tokens = markdownIt().parse(text, {})
    expect(tokens.filter(({ type }) => type === 'tr_open').length).toBeGreaterThan(300)
    const lines = text.split('\n').filter((line) => line.startsWith('| '))
    for (const line of lines) expect(line.match(/(?<!\\)\|/g)?.length, line).toBeOneOf([4, 5])
  })
})
