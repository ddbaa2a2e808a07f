// Tests of the API reference page: it is complete, self-contained and escapes markup.
import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { inline, table } from '../../../../../api/discovery/docs/html.ts'
import { docsPage } from '../../../../../api/discovery/docs/page.ts'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import { markupOf, html as template } from '../../../../../infra/html/html.ts'
import { aboutService } from '../../../../support/api/discovery.ts'

const about = aboutService()
const html = docsPage.write(about)

describe('the reference page', () => {
  it('has every operation with its URL, every schema and its example', () => {
    const { paths, components } = createOpenApi(about)
    for (const [path, { get }] of Object.entries(paths)) {
      expect(html).toContain(`<section id="${get.operationId}">`)
      expect(html).toContain(`GET ${path} `)
    }
    for (const name of Object.keys(components.schemas)) {
      expect(html).toContain(`<section id="schema-${name}">`)
    }
    expect(html.match(/<summary>Example<\/summary>/g)).toHaveLength(17)
  })

  it('has no broken internal links', () => {
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(40)
    for (const id of targets) expect(html).toContain(`id="${id}"`)
  })

  it('loads no script and no external resource, and allows its one style by its digest', () => {
    expect(html).not.toMatch(/<script|\ssrc=|@import|url\(|\son\w+=|\sstyle=/)
    const [, style = ''] = /<style>([\s\S]*?)<\/style>/.exec(html) ?? []
    const digest = createHash('sha256').update(style).digest('base64')
    const policy = docsPage.headers?.(about)['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).toContain(`style-src 'sha256-${digest}'`)
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  it('escapes markup', () => {
    const shown = (text: string) => markupOf(template`${inline(text)}`)
    expect(shown('<b title="x">&')).toBe('&lt;b title=&quot;x&quot;&gt;&amp;')
    expect(shown('`<i>` and **<b>**, **`a` b**')).toBe(
      '<code>&lt;i&gt;</code> and <strong>&lt;b&gt;</strong>, <strong><code>a</code> b</strong>',
    )
    expect(markupOf(template`${table(['<'], [['&']], '"')}`)).toContain('aria-label="&quot;"')
  })
})
