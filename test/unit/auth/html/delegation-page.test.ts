// Tests that the claim page has the site navigation, and that no link drops the fragment of its URL.
import { expect, it } from 'vitest'
import { delegationPage } from '../../../../auth/html/delegation-page.ts'

it('links to the pages of the site, and has no link that replaces the fragment', () => {
  const page = delegationPage('https://rollcall.example/delegation')
  const links = [...page.matchAll(/<a [^>]*href="([^"]*)"/g)].map(([, href]) => href)
  expect(links).toEqual(['./', './proposals', './pools', './voters', './status', './docs'])
  expect(page).toContain('<nav aria-label="Site">')
})

it('shows a notice above the claim, such as that of the demo chain', () => {
  const page = delegationPage('https://rollcall.example/delegation', 'Everything is invented.')
  expect(page.indexOf('Everything is invented.')).toBeLessThan(page.indexOf('<main'))
  expect(page.indexOf('Everything is invented.')).toBeGreaterThan(0)
})
