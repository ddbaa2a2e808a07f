// Software upgrades: name, height and safe links.
import { describe, expect, it } from 'vitest'
import { explain, lines, plain } from '../../../support/api/explained.ts'

const upgrade = (plan: Record<string, unknown> = {}) => ({
  '@type': '/cosmos.upgrade.v1beta1.MsgSoftwareUpgrade',
  authority: 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
  plan: {
    name: 'v19',
    time: '0001-01-01T00:00:00Z',
    height: '101000',
    info: '',
    upgraded_client_state: null,
    ...plan,
  },
})

describe('MsgSoftwareUpgrade', () => {
  it('has the name and the height', () => {
    const explanation = explain(upgrade())
    expect(plain(explanation.summary)).toBe(
      'The nodes stop at height 101 000, and continue with the upgrade “v19”.',
    )
    expect(lines(explanation).map((line) => line.split(':')[0])).toEqual(['Name', 'Height'])
  })

  it('links an https URL in `info`, and each binary of its JSON', () => {
    const address = 'https://example.com/v19/info.json'
    expect(explain(upgrade({ info: address })).details).toContainEqual({
      label: 'Information',
      value: { kind: 'link', text: address },
    })
    const binaries = { 'linux/amd64': `${address}?checksum=sha256:ab`, any: 'http://a.example/x' }
    const { details } = explain(upgrade({ info: JSON.stringify({ binaries }) }))
    expect(details).toContainEqual({
      label: 'Binary for linux/amd64',
      value: { kind: 'link', text: `${address}?checksum=sha256:ab` },
    })
    expect(details).toContainEqual({
      label: 'Binary for any',
      value: { kind: 'text', text: 'http://a.example/x' },
    })
  })

  it.each([
    'http://a.example/',
    'javascript:alert(1)',
    'https://user@a.example/',
    'https://:password@a.example/',
    'https://a.example/ x',
    'https://',
    'data:text/html,x',
  ])('does not link %s', (info) => {
    expect(explain(upgrade({ info })).details).toContainEqual({
      label: 'Information',
      value: { kind: 'text', text: info },
    })
  })

  it('shows the ASCII form of a host, so that look-alike names are visible', () => {
    const { details } = explain(upgrade({ info: 'https://ехample.com/' }))
    expect(details.at(-1)?.value.text).toBe('https://xn--ample-ywe6i.com/')
  })
})

describe('other upgrade messages', () => {
  it('explains the legacy SoftwareUpgradeProposal inside MsgExecLegacyContent', () => {
    const { plan } = upgrade()
    const content = {
      '@type': '/cosmos.upgrade.v1beta1.SoftwareUpgradeProposal',
      title: 'v19',
      description: 'x',
      plan,
    }
    const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content }
    const explanation = explain(message)
    expect(explanation.type).toBe('/cosmos.gov.v1.MsgExecLegacyContent')
    expect(plain(explanation.summary)).toBe(
      'The nodes stop at height 101 000, and continue with the upgrade “v19”.',
    )
  })

  it('explains the cancellation of an upgrade', () => {
    const message = { '@type': '/cosmos.upgrade.v1beta1.MsgCancelUpgrade', authority: 'a' }
    expect(explain(message).summary).toBe(
      'Cancels the scheduled software upgrade, if there is one.',
    )
  })

  it('shows the client state of an IBC upgrade', () => {
    const message = {
      '@type': '/ibc.core.client.v1.MsgIBCSoftwareUpgrade',
      plan: { ...upgrade().plan, name: 'v2' },
      upgraded_client_state: {
        '@type': '/ibc.lightclients.tendermint.v1.ClientState',
        chain_id: 'hub-2',
      },
    }
    const { title, details } = explain(message)
    expect(title).toBe('IBC software upgrade')
    expect(details.at(-1)).toMatchObject({
      label: 'Client state after the upgrade',
      value: { kind: 'json', text: expect.stringContaining('"chain_id": "hub-2"') },
    })
  })
})
