// Tests of the parameter `format` of lists: it takes precedence over `Accept`, and links to other pages keep it.
import { describe, expect, it } from 'vitest'
import { type Answer, createApiRig, expectProblem } from '../support/api/api-rig.ts'
import { BIG_VOTE, seedListsStory, TALLIED_VOTE } from '../support/api/lists-story.ts'
import { readCsv } from '../support/api/read-csv.ts'
import { useTestStore } from '../support/store/test-store.ts'

const EVIDENCE = `/api/proposals/${TALLIED_VOTE}/evidence`

const testStore = useTestStore(seedListsStory)

const parseCsv = (csv: string) => readCsv(testStore.store, csv)

const setup = async () => {
  const rig = await createApiRig(testStore.store)
  const as = (url: string, accept: string) => rig.ask(url, { headers: { accept } })
  return { ...rig, as }
}

describe('the format of a list', () => {
  it('is that of the parameter, whatever is accepted, with the bytes of the same rows', async () => {
    const { ask, as } = await setup()
    for (const [format, type] of [
      ['csv', 'text/csv'],
      ['ndjson', 'application/x-ndjson'],
      ['json', 'application/json'],
    ]) {
      const expected = await as('/api/pools', `${type}`)
      for (const accept of ['text/csv', 'application/json', 'image/png', '*/*']) {
        const named = await as(`/api/pools?format=${format}`, accept)
        expect([named.status, named.headers['content-type']]).toEqual([
          200,
          expected.headers['content-type'],
        ])
        if (format !== 'json') expect(named.text).toBe(expected.text)
        else expect(named.json().items).toEqual(expected.json().items)
        const etag = named.headers['etag'] ?? ''
        const again = await ask(`/api/pools?format=${format}`, {
          headers: { accept, 'if-none-match': etag },
        })
        expect([again.status, etag === expected.headers['etag']]).toEqual([304, false])
      }
    }
  })

  it('stays in links to other pages, and rows are a file for a browser', async () => {
    const { ask } = await setup()
    const url = `/api/proposals/${BIG_VOTE}/ballots`
    const whole: string[] = []
    for (let at: string | undefined = `${url}?format=csv`; at; ) {
      const csv: Answer = await ask(at)
      const file = `proposals-${BIG_VOTE}-ballots.csv`
      expect(csv.headers['content-disposition']).toBe(`attachment; filename="${file}"`)
      expect(csv.headers['link']).toMatch(/<[^>]*ballots(?:\?cursor=[^&>]*)?>; rel="alternate"/)
      whole.push(...(await parseCsv(csv.text)).map(({ voter }) => voter ?? ''))
      at = /<([^>]+)>; rel="next"/.exec(csv.headers['link'] ?? '')?.[1]
      if (at) expect(at).toMatch(/\?cursor=[^&]+&format=csv$/)
    }
    expect(new Set(whole).size).toBe(2_500)
    const { links } = (await ask('/api/proposals?page=1&format=json')).json()
    expect(links).toMatchObject({
      self: '/api/proposals?page=1',
      prev: '/api/proposals?page=0&format=json',
      first: '/api/proposals?page=0&format=json',
    })
    const second = await ask('/api/proposals?page=1&status=passed&format=ndjson')
    expect(second.headers['content-disposition']).toContain('"proposals-page-1.ndjson"')
    expect((await ask('/api/proposals?format=json')).headers).not.toHaveProperty(
      'content-disposition',
    )
  })

  it('is refused if the list does not have it, with the formats that it has', async () => {
    const { ask } = await setup()
    for (const [url, formats] of [
      ['/api/pools?format=xml', '`json`, `ndjson`, `csv`'],
      [`${EVIDENCE}?format=csv`, '`json`, `ndjson`'],
    ] as const) {
      const refused = await ask(url)
      expectProblem(refused, 400, 'invalid-parameter')
      expect(refused.json().detail).toContain(`format must be one of ${formats};`)
    }
    for (const url of ['/feed.atom?format=csv', `/api/proposals/${BIG_VOTE}?format=csv`]) {
      expectProblem(await ask(url), 400, 'invalid-parameter')
    }
  })
})
