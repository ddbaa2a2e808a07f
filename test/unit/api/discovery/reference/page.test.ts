// Tests of the page of the API reference: what it loads, its policy, and its addresses below a path.
import { describe, expect, it } from 'vitest'
import { REFERENCE_ASSETS, referencePage } from '../../../../../api/discovery/reference/page.ts'
import { aboutService } from '../../../../support/api/discovery.ts'

const about = aboutService()
const html = referencePage.write(about)

const readAddresses = (text: string): string[] =>
  [...text.matchAll(/(?:href|src|data-scalar|data-openapi)="([^"]+)"/g)].map(([, to = '']) => to)

describe('the reference page', () => {
  it('loads own files only, and has the policy of all pages', () => {
    expect(readAddresses(html).filter((to) => !to.startsWith('/'))).toEqual([])
    for (const { path } of REFERENCE_ASSETS) expect(readAddresses(html)).toContain(path)
    expect(html).not.toMatch(/<style|<script(?![^>]*\ssrc="\/assets\/)|\son\w+=|\sstyle=/)
    const policy = referencePage.headers?.(about)['content-security-policy'] ?? ''
    expect(policy).toContain("default-src 'none'")
    expect(policy).not.toMatch(/unsafe|\*/)
  })

  it('has all its addresses below the path of the service', () => {
    const below = referencePage.write(aboutService({ baseUrl: 'https://gov.example.org/hub' }))
    expect(readAddresses(below).filter((to) => !to.startsWith('/hub/'))).toEqual([])
    expect(below).toContain('data-root="/hub"')
    expect(below).toContain('<a href="/hub/docs" aria-current="page">')
  })

  it('names the OpenAPI document for a browser without scripts', () => {
    expect(html).toMatch(
      /<p>This page needs a script\. .*\n?<a href="\/openapi\.json">OpenAPI<\/a>/,
    )
  })
})
