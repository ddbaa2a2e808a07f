// The sitemap: pages, documents, proposals and pools, within its limits.
import { expect, it } from 'vitest'
import { writeSitemap } from '../../../../api/discovery/sitemap.ts'
import { describeService } from '../../../../auth/contract/service.ts'

const SERVICE = describeService('https://gov.example.org/hub')

it('lists proposals with the time of their last change, newest first, and pools', () => {
  const proposals = ['9', '10', '2'].map((proposalId) => ({ proposalId, changedMs: 1_000 }))
  const text = writeSitemap(SERVICE, { proposals, pools: ['valoper1a', 'valoper1<b'] })
  expect(text).toContain(
    '<url><loc>https://gov.example.org/hub/proposals/10</loc><lastmod>1970-01-01T00:00:01.000Z</lastmod></url>',
  )
  expect([...text.matchAll(/proposals\/(\d+)/g)].map(([, id]) => id)).toEqual(['10', '9', '2'])
  expect(text).toContain('<loc>https://gov.example.org/hub/pools/valoper1a</loc>')
  expect(text).toContain('/pools/valoper1%3Cb<')
  for (const path of ['/', '/status', '/docs']) expect(text).toContain(`/hub${path}</loc>`)
})

it('has at most about a megabyte: the newest proposals and the largest pools', () => {
  const proposals = Array.from({ length: 20_000 }, (_, n) => ({
    proposalId: `${n + 1}`,
    changedMs: 1_700_000_000_000,
  }))
  const pools = Array.from({ length: 5_000 }, (_, n) => `cosmosvaloper1${n}`)
  const text = writeSitemap(SERVICE, { proposals, pools })
  expect(text.length).toBeLessThan(2 ** 20)
  expect(text).toContain('/proposals/20000<')
  expect(text).not.toContain('/proposals/14000<')
})
