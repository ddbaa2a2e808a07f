// Tests of the API reference page: it is complete, looks like the other pages, and escapes markup.
import { describe, expect, it } from 'vitest'
import { inline, table } from '../../../../../api/discovery/docs/html.ts'
import { docsPage } from '../../../../../api/discovery/docs/page.ts'
import { createOpenApi } from '../../../../../api/discovery/openapi/document.ts'
import { STYLE } from '../../../../../infra/base/html/asset.ts'
import { markupOf, html as template } from '../../../../../infra/base/html/html.ts'
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
    expect(html.match(/<summary>Example<\/summary>/g)).toHaveLength(18)
  })

  it('has no broken internal links', () => {
    const targets = [...html.matchAll(/href="#([^"]+)"/g)].map(([, id]) => id)
    expect(targets.length).toBeGreaterThan(40)
    for (const id of targets) expect(html).toContain(`id="${id}"`)
  })

  it('loads no script and no external resource, and has the policy of all pages', () => {
    expect(html).not.toMatch(/<script|<style|\ssrc=|@import|url\(|\son\w+=|\sstyle=/)
    expect(html).not.toMatch(/<link[^>]*href="(?!\/assets\/)/)
    const policy = docsPage.headers?.(about)['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  it('has the style, the navigation and the search of the site, also below a path', () => {
    const below = docsPage.write(aboutService({ baseUrl: 'https://gov.example.org/hub' }))
    expect(below).toContain(`<link rel="stylesheet" href="/hub${STYLE.path}">`)
    expect(below).toContain('<a href="/hub/docs" aria-current="page">')
    expect(below).toContain('<form class="search" role="search" action="/hub/search"')
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
