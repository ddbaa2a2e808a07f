// What `rollcall doctor` reports of identity providers, with a real one on loopback.
import { expect, it, onTestFinished } from 'vitest'
import { checkIssuers } from '../../../../../infra/app/doctor/areas.ts'
import { startIdentityProvider } from '../../../../support/auth/identity-provider.ts'

const setup = async () => {
  const idp = await startIdentityProvider(() => Date.now())
  onTestFinished(idp.close)
  const check = (TRUSTED_ISSUERS: string) =>
    checkIssuers({ TRUSTED_ISSUERS, ALLOW_LOOPBACK_ISSUERS: 'true' })
  return { idp, check }
}

it('reports nothing without identity providers', async () => {
  expect(await checkIssuers({})).toEqual([])
})

it('reports where the keys of an issuer are', async () => {
  const { idp, check } = await setup()
  const keys = `${idp.issuer}/keys`
  idp.publish({
    '/.well-known/openid-configuration': { issuer: idp.issuer, jwks_uri: keys },
    '/keys': idp.keySet(),
  })
  expect(await check(idp.issuer)).toMatchObject([
    { level: 'ok', message: `${idp.issuer}: 1 key at ${keys}` },
  ])
})

it('reports a wrong URL as a problem with the remedy, and an outage as a warning', async () => {
  const { idp, check } = await setup()
  const [wrong] = await check(`${idp.issuer}|${idp.issuer}/nothing`)
  expect(wrong).toMatchObject({
    level: 'problem',
    message: expect.stringContaining('status 404'),
    remedy: `set TRUSTED_ISSUERS=${idp.issuer}|<URL of its keys>`,
  })
  await idp.close()
  expect(await check(idp.issuer)).toMatchObject([{ level: 'warning' }])
})
