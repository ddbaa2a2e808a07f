// Settings of agents, and the errors of invalid ones.
import { describe, expect, it } from 'vitest'
import { longestLifeMs, readAuthConfig } from '../../../auth/config.ts'

describe('the settings of auth', () => {
  it('trust no issuer and allow no wallet to claim by default', () => {
    expect(readAuthConfig({})).toMatchObject({
      accessTokenSeconds: 900,
      identityAssertionSeconds: 3_600,
      claimTokenSeconds: 86_400,
      trustedIssuers: [],
      walletChains: [],
      allowLoopbackIssuers: false,
    })
  })

  it('read issuers with their key URL, and chains with their address prefix and algorithm', () => {
    const { trustedIssuers, walletChains } = readAuthConfig({
      TRUSTED_ISSUERS: 'https://a.example, https://b.example/x|https://keys.example/b.json',
      WALLET_CHAINS: 'cosmoshub-4:cosmos:secp256k1 evmos_9001-2:evmos:eth-secp256k1',
    })
    expect(trustedIssuers).toEqual([
      { issuer: 'https://a.example' },
      { issuer: 'https://b.example/x', jwksUrl: 'https://keys.example/b.json' },
    ])
    expect(walletChains).toEqual([
      { chainId: 'cosmoshub-4', prefix: 'cosmos', algorithm: 'secp256k1' },
      { chainId: 'evmos_9001-2', prefix: 'evmos', algorithm: 'eth-secp256k1' },
    ])
  })

  it('report every invalid setting by name', () => {
    const read = () =>
      readAuthConfig({
        TRUSTED_ISSUERS: 'idp.example',
        WALLET_CHAINS: 'cosmoshub-4:cosmos:ed25519',
        REGISTRATIONS_PER_MINUTE: '0',
      })
    for (const name of ['TRUSTED_ISSUERS', 'WALLET_CHAINS', 'REGISTRATIONS_PER_MINUTE']) {
      expect(read).toThrow(name)
    }
  })

  it.each(['secret', '[]', '{}'])(
    'report keys that are no list, and do not show them: %s',
    (keys) => {
      const read = () => readAuthConfig({ AUTH_KEYS: keys, WALLET_CHAINS: '-' })
      expect(read).toThrow(/WALLET_CHAINS.*\n.*AUTH_KEYS: the given value is not right/)
      expect(read).not.toThrow(/secret/)
    },
  )

  it('keep state for the longest lifetime of any token', () => {
    expect(longestLifeMs(readAuthConfig({}))).toBe((86_400 + 3_600 + 900 + 60) * 1_000)
    const short = {
      ...readAuthConfig({}),
      claimTokenSeconds: 60,
      identityAssertionSeconds: 60,
    }
    // An ID-JAG can live for an hour, and its clock can be off.
    expect(longestLifeMs(short)).toBeGreaterThanOrEqual((3_600 + 2 * 60) * 1_000)
  })
})
