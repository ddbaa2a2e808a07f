// Where the keys of a trusted issuer are looked for, and which failures only an operator can end.
import { describe, expect, it } from 'vitest'
import { fetchIssuerKeys } from '../../../../auth/issuers/issuer-keys.ts'
import { refusedFetch } from '../../../support/auth/refused-fetch.ts'

const KEYS = { keys: [{ kty: 'EC', kid: 'k1' }] }
const ISSUER = 'https://idp.example/tenant'
const RFC_8414 = 'https://idp.example/.well-known/oauth-authorization-server/tenant'
const OPENID = 'https://idp.example/tenant/.well-known/openid-configuration'
const USUAL = 'https://idp.example/tenant/.well-known/jwks.json'
const ELSEWHERE = 'https://keys.example/tenant'

const refused = await refusedFetch()
const away = new Error('connect ECONNREFUSED')

/** Every other URL answers like one that does not exist. */
const fetchWith = async (
  documents: Readonly<Record<string, unknown>>,
  trusted: { issuer: string; jwksUrl?: string } = { issuer: ISSUER },
) => {
  const requested: string[] = []
  const fetched = await fetchIssuerKeys(trusted, async (url) => {
    requested.push(url)
    const answer = documents[url] ?? refused
    if (answer instanceof Error) throw answer
    return answer
  })
  return { fetched, requested }
}

const metadata = (changes: object = {}) => ({ issuer: ISSUER, jwks_uri: ELSEWHERE, ...changes })
const isFrom = (url: string) => expect.objectContaining({ ok: true, url })

describe('the keys of a trusted issuer', () => {
  it('are those at the configured URL, without a request for metadata', async () => {
    const trusted = { issuer: ISSUER, jwksUrl: ELSEWHERE }
    const { fetched, requested } = await fetchWith({ [ELSEWHERE]: KEYS }, trusted)
    expect([fetched, requested]).toEqual([isFrom(ELSEWHERE), [ELSEWHERE]])
  })

  it.each([
    ['RFC 8414', RFC_8414],
    ['OpenID', OPENID],
  ])('are those that its metadata of %s names', async (_name, url) => {
    const { fetched } = await fetchWith({ [url]: metadata(), [ELSEWHERE]: KEYS, [USUAL]: KEYS })
    expect(fetched).toEqual(isFrom(ELSEWHERE))
  })

  it('are found for an issuer that ends in a slash, as its metadata does', async () => {
    const issuer = 'https://idp.example/'
    const url = 'https://idp.example/.well-known/openid-configuration'
    const documents = { [url]: metadata({ issuer }), [ELSEWHERE]: KEYS }
    expect((await fetchWith(documents, { issuer })).fetched).toEqual(isFrom(ELSEWHERE))
  })

  it('are at the usual path if the issuer has no metadata, or pages in its place', async () => {
    expect((await fetchWith({ [USUAL]: KEYS })).fetched).toEqual(isFrom(USUAL))
    const pages = { [RFC_8414]: { page: 1 }, [OPENID]: { issuer: ISSUER }, [USUAL]: KEYS }
    expect((await fetchWith(pages)).fetched).toEqual(isFrom(USUAL))
  })

  it.each([
    ['metadata of another issuer', { [RFC_8414]: metadata({ issuer: 'https://x.test' }) }],
    ['a jwks_uri that is no URL', { [OPENID]: metadata({ jwks_uri: '/keys' }) }],
    ['metadata that names a URL without keys', { [OPENID]: metadata() }],
    ['a key set that is none', { [USUAL]: { keys: 7 } }],
    ['neither metadata nor keys', {}],
  ])('are not found with %s, which only an operator can correct', async (_name, documents) => {
    const { fetched, requested } = await fetchWith(documents)
    expect(fetched).toMatchObject({ ok: false, isPermanent: true })
    expect(requested).not.toContain('/keys')
  })

  it.each([
    ['the metadata', { [RFC_8414]: away, [USUAL]: KEYS }],
    ['the URL in the metadata', { [OPENID]: metadata(), [ELSEWHERE]: away }],
    ['the usual path', { [USUAL]: away }],
  ])('can be fetched later while %s cannot be reached', async (_name, documents) => {
    const { fetched } = await fetchWith(documents)
    expect(fetched).toMatchObject({ ok: false, isPermanent: false })
    expect(fetched).toHaveProperty('reason', expect.stringContaining('ECONNREFUSED'))
  })

  it('are fetched although one of the two metadata documents cannot be reached', async () => {
    const documents = { [RFC_8414]: away, [OPENID]: metadata(), [ELSEWHERE]: KEYS }
    expect((await fetchWith(documents)).fetched).toEqual(isFrom(ELSEWHERE))
  })
})
