// Parameter changes: their number and their formatted values.
import { describe, expect, it } from 'vitest'
import { ATOM, explain, explainAll, lines, plain } from '../../../support/api/explained.ts'

const GOV = {
  '@type': '/cosmos.gov.v1.MsgUpdateParams',
  authority: 'cosmos10d07y265gmmuvt4z0w9aw880jnsr700j6zn9kn',
  params: {
    min_deposit: [{ denom: 'uatom', amount: '20000000' }],
    max_deposit_period: '172800s',
    voting_period: '259200s',
    quorum: '0.350000000000000000',
    burn_vote_veto: true,
  },
}
const quorum = {
  message: 0,
  path: 'quorum',
  from: '0.334000000000000000',
  to: '0.350000000000000000',
}

const QUORUM_MEANING = 'The share of all voting power that must vote for a result to count.'

describe('MsgUpdateParams', () => {
  it('shows a changed parameter in percent, and the number of parameters', () => {
    const { title, summary, details } = explain(GOV, { changes: [quorum] })
    expect(title).toBe('Parameter change')
    expect(summary).toBe('Changes 1 of 5 parameters of the module gov: quorum 33.4 % → 35 %.')
    expect(details).toEqual([
      { label: 'quorum', value: { kind: 'text', text: '33.4 % → 35 %' } },
      { label: 'quorum', value: { kind: 'text', text: QUORUM_MEANING } },
    ])
  })

  it('shows durations in days, coins in display units, and other values as JSON', () => {
    const changes = [
      { message: 0, path: 'voting_period', from: '172800s', to: '259200s' },
      {
        message: 0,
        path: 'min_deposit',
        from: [{ denom: 'uatom', amount: '10500000' }],
        to: [{ denom: 'uatom', amount: '20000000' }],
      },
      { message: 0, path: 'burn_vote_veto', from: false, to: true },
      { message: 0, path: 'expedited_quorum', from: '0.5', to: null },
    ]
    const explanation = explain(GOV, { changes, displayUnit: ATOM })
    expect(lines(explanation)).toEqual([
      'voting_period: 2 days → 3 days',
      'voting_period: How long a vote is open.',
      'min_deposit: 10.5 ATOM → 20 ATOM',
      'min_deposit: The deposit that a proposal needs before voting starts.',
      'burn_vote_veto: false → true',
      'burn_vote_veto: Whether the deposit is lost if the proposal is vetoed.',
      'expedited_quorum: 50 % → (none)',
    ])
    expect(explanation.summary).toMatch(/^Changes 4 of 6 parameters .*; and 1 more\.$/)
  })

  it('names nested parameters by their path if the module has no `params`', () => {
    const message = {
      '@type': '/cosmos.consensus.v1.MsgUpdateParams',
      authority: 'cosmos1',
      block: { max_bytes: '4194304', max_gas: '-1' },
      evidence: { max_age_num_blocks: '100000' },
      abci: null,
    }
    const change = { message: 0, path: 'block.max_bytes', from: '22020096', to: '4194304' }
    const { summary } = explain(message, { changes: [change] })
    expect(plain(summary)).toBe(
      'Changes 1 of 4 parameters of the module consensus: block › max_bytes 22 020 096 → 4 194 304.',
    )
  })

  it('says why changes are not known, and shows what the message sets', () => {
    const changesReason = 'message 0: the current parameters were not observed'
    const explanation = explain(GOV, { changes: null, changesReason })
    expect(explanation.summary).toBe(
      'Sets 5 parameters of the module gov. It is not known which of them change.',
    )
    expect(lines(explanation).slice(0, 3)).toEqual([
      `Reason for unknown changes: ${changesReason}`,
      'min_deposit: 20 000 000 uatom'.replaceAll('20 000 000', '20\u202f000\u202f000'),
      'max_deposit_period: 2 days',
    ])
  })

  it('states that nothing changes if the values are the current ones', () => {
    expect(explain(GOV, { changes: [] }).summary).toBe(
      'Changes none of 5 parameters of the module gov: the values are the current ones.',
    )
  })

  it('uses the changes of its own message only', () => {
    const changes = [{ ...quorum, message: 1 }]
    const [first, second] = explainAll([GOV, GOV], { changes })
    expect(first?.summary).toContain('none of 5')
    expect(second?.summary).toContain('1 of 5')
  })

  it('does not assign changes if several nested messages change parameters', () => {
    const exec = (...msgs: unknown[]) => ({
      '@type': '/cosmos.authz.v1beta1.MsgExec',
      grantee: 'cosmos1a',
      msgs,
    })
    const [one, two] = explainAll([exec(GOV), exec(GOV, GOV)], {
      changes: [quorum, { ...quorum, message: 1 }],
    })
    expect(lines(one!)).toContain('Message 1 › quorum: 33.4 % → 35 %')
    expect(lines(two!)).toContain(
      'Message 2 › Reason for unknown changes: several messages inside this message change parameters',
    )
  })

  it('shows long values as two details', () => {
    const list = Array.from({ length: 40 }, (_, n) => `address-${n}`)
    const change = { message: 0, path: 'allowed', from: [], to: list }
    const { summary, details } = explain(GOV, { changes: [change] })
    expect(summary).toMatch(/: allowed\.$/)
    expect(details.map(({ label }) => label)).toEqual(['allowed, before', 'allowed, after'])
  })
})

describe('the legacy ParameterChangeProposal', () => {
  const content = {
    '@type': '/cosmos.params.v1beta1.ParameterChangeProposal',
    title: 'More validators',
    description: 'Because.',
    changes: [
      { subspace: 'staking', key: 'MaxValidators', value: '180' },
      { subspace: 'gov', key: 'tallyparams', value: '{"quorum":"0.4"}' },
    ],
  }

  it('shows the subspace and the key of each change', () => {
    const change = { message: 0, path: 'staking/MaxValidators', from: 175, to: 180 }
    const { summary, details } = explain(content, { changes: [change] })
    expect(summary).toBe(
      'Changes 1 of 2 parameters that it names: staking › MaxValidators 175 → 180.',
    )
    expect(details.at(1)?.value.text).toBe(
      'How many validators can be active, and so can vote, at a time.',
    )
  })

  it('shows the new values if the current ones are not known, also inside MsgExecLegacyContent', () => {
    const message = { '@type': '/cosmos.gov.v1.MsgExecLegacyContent', content, authority: 'a' }
    const explanation = explain(message, { changes: null, changesReason: 'pruned' })
    expect(explanation.title).toBe('Parameter change')
    expect(lines(explanation)).toEqual([
      'Reason for unknown changes: pruned',
      'staking › MaxValidators: 180',
      'gov › tallyparams: {\n  "quorum": "0.4"\n}',
      'Legacy content: /cosmos.params.v1beta1.ParameterChangeProposal',
    ])
  })
})
