// Tests the parameters that the messages of a proposal change, compared with observed state.
import { describe, expect, it } from 'vitest'
import {
  MAX_CHANGES,
  MAX_CHANGES_BYTES,
  readParameterChanges,
} from '../../../../projections/fold/parameter-changes.ts'

type Observed = {
  query: string
  request?: Record<string, unknown>
  response: unknown
  reason?: string
}

const createContext = (...observations: Observed[]) =>
  observations.map(({ query, request = {}, response, reason = null }) => ({
    query,
    request,
    response: response as Record<string, unknown> | null,
    reason,
  }))

const GOV = '/cosmos.gov.v1.MsgUpdateParams'
const govParams = (params: unknown) => ({
  query: '/cosmos.gov.v1.Query/Params',
  response: { params },
})
const update = (params: unknown, type = GOV) => ({ '@type': type, authority: 'gov', params })

const changed = (message: number, path: string, from: unknown, to: unknown) => ({
  message,
  path,
  from,
  to,
})
const only = (...changes: ReturnType<typeof changed>[]) => ({ changes, reason: null })
const unknown = (reason: string | RegExp) => ({
  changes: null,
  reason: typeof reason === 'string' ? reason : expect.stringMatching(reason),
})

describe('an update of the parameters of a module', () => {
  it('lists the members that differ from the parameters in force, and no others', () => {
    const inForce = { quorum: '0.334', threshold: '0.5', burn_vote_veto: true }
    const messages = [update({ ...inForce, quorum: '0.35', burn_vote_veto: false })]
    expect(readParameterChanges(messages, createContext(govParams(inForce)))).toEqual(
      only(changed(0, 'quorum', '0.334', '0.35'), changed(0, 'burn_vote_veto', true, false)),
    )
  })

  it('lists nested members by path, and arrays as a whole', () => {
    const inForce = { tally: { quorum: '0.3', veto: '0.3' }, min_deposit: [{ amount: '1' }, 2] }
    const next = { tally: { quorum: '0.4', veto: '0.3' }, min_deposit: [{ amount: '3' }, 2] }
    expect(readParameterChanges([update(next)], createContext(govParams(inForce)))).toEqual(
      only(
        changed(0, 'tally.quorum', '0.3', '0.4'),
        changed(0, 'min_deposit', [{ amount: '1' }, 2], [{ amount: '3' }, 2]),
      ),
    )
  })

  it('has null for a missing side, and treats an absent member as null', () => {
    const inForce = { old: '1', kept: null, group: null }
    const next = { added: 2, group: { a: 1 } }
    expect(readParameterChanges([update(next)], createContext(govParams(inForce)))).toEqual(
      only(
        changed(0, 'added', null, 2),
        changed(0, 'group', null, { a: 1 }),
        changed(0, 'old', '1', null),
      ),
    )
  })

  it('treats equal members in another order as equal', () => {
    const context = createContext(govParams({ a: [{ x: 1, y: 2 }], b: { c: 1, d: 2 } }))
    const next = update({ b: { d: 2, c: 1 }, a: [{ y: 2, x: 1 }] })
    expect(readParameterChanges([next], context)).toEqual(only())
  })

  it('uses the query in the same package whose response has parameters, whatever its method is', () => {
    const client = '/ibc.core.client.v1.MsgUpdateParams'
    const context = createContext(
      { query: '/ibc.core.client.v1.Query/ClientStatus', response: { status: 'Active' } },
      {
        query: '/ibc.core.client.v1.Query/ClientParams',
        response: { params: { allowed_clients: ['*'] } },
      },
      govParams({ allowed_clients: ['of another module'] }),
    )
    expect(readParameterChanges([update({ allowed_clients: [] }, client)], context)).toEqual(
      only(changed(0, 'allowed_clients', ['*'], [])),
    )
  })

  it('compares each member of a message without params with the parameter of that name', () => {
    const message = {
      '@type': '/cosmos.consensus.v1.MsgUpdateParams',
      authority: 'gov',
      block: { max_bytes: '2', max_gas: '-1' },
      abci: null,
    }
    const params = { block: { max_bytes: '1', max_gas: '-1' }, version: { app: '1' } }
    const context = createContext({
      query: '/cosmos.consensus.v1.Query/Params',
      response: { params },
    })
    expect(readParameterChanges([message], context)).toEqual(
      only(changed(0, 'block.max_bytes', '1', '2')),
    )
  })

  it.each([
    ['nothing was observed', [], 'message 0: the current parameters were not observed'],
    [
      'the node could not answer',
      [{ query: '/cosmos.gov.v1.Query/Params', response: null, reason: 'pruned' }],
      'message 0: the current parameters are unknown: pruned',
    ],
    [
      'the response has no parameters',
      [{ query: '/cosmos.gov.v1.Query/Params', response: { deposit_params: {} } }],
      'message 0: the current parameters were not observed',
    ],
  ])('is not known if %s', (_, observed, reason) => {
    expect(readParameterChanges([update({ quorum: '1' })], createContext(...observed))).toEqual(
      unknown(reason),
    )
  })

  it.each([
    ['is not decoded', { '@type': GOV, value: 'AAAA' }, /^message 0: the message is not decoded$/],
    ['is a digest', { '@type': GOV, sha256: 'ab', size: 9, reason: 'long' }, /not decoded$/],
    ['has no parameters', { '@type': GOV, authority: 'gov' }, /has no parameters$/],
    [
      'has fields that the schema does not have',
      update({ quorum: '1', '@unknownFields': { count: 1, bytes: 'AAAA' } }),
      /has unknown fields$/,
    ],
  ])('is not known if the message %s', (_, message, reason) => {
    const context = createContext(govParams({ quorum: '1', voting_period: '3s' }))
    expect(readParameterChanges([message], context)).toEqual(unknown(reason))
  })

  it('makes all changes unknown if one message cannot be compared, and names that message', () => {
    const messages = [update({ quorum: '2' }), update({ a: 1 }, '/x.mint.v1.MsgUpdateParams')]
    expect(readParameterChanges(messages, createContext(govParams({ quorum: '1' })))).toEqual(
      unknown('message 1: the current parameters were not observed'),
    )
  })
})

describe('nested messages', () => {
  const context = createContext(govParams({ quorum: '1' }))

  it('have their changes under the index of the outer message', () => {
    const exec = { '@type': '/cosmos.authz.v1beta1.MsgExec', msgs: [update({ quorum: '2' })] }
    const group = { '@type': '/cosmos.group.v1.MsgSubmitProposal', messages: [exec] }
    const messages = [{ '@type': '/cosmos.bank.v1beta1.MsgSend' }, group, update({ quorum: '3' })]
    expect(readParameterChanges(messages, context)).toEqual(
      only(changed(1, 'quorum', '1', '2'), changed(2, 'quorum', '1', '3')),
    )
  })

  it('for another chain are not treated as messages for this chain', () => {
    const remote = { '@type': '/x.intertx.v1.MsgSubmitTx', msg: update({ quorum: '2' }) }
    expect(readParameterChanges([remote], context)).toEqual(only())
  })

  it('make the changes unknown if they are not decoded', () => {
    const exec = { '@type': '/cosmos.authz.v1beta1.MsgExec', value: 'AAAA' }
    expect(readParameterChanges([exec], context)).toEqual(
      unknown('message 0: /cosmos.authz.v1beta1.MsgExec is not decoded'),
    )
  })

  it('of other types change no parameter, decoded or not', () => {
    const messages = [
      { '@type': '/x.v1.MsgOther', value: 'AAAA' },
      { '@type': '/x.v1.MsgA', a: 1 },
    ]
    expect(readParameterChanges(messages, [])).toEqual(only())
  })
})

describe('hostile messages', () => {
  it('with names of inherited object properties are compared like any others', () => {
    const inForce = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x", "toString": null}')
    const next = JSON.parse('{"__proto__": {"a": 2}, "constructor": "y"}')
    expect(readParameterChanges([update(next)], createContext(govParams(inForce)))).toEqual(
      only(changed(0, '__proto__.a', 1, 2), changed(0, 'constructor', 'x', 'y')),
    )
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('stops at more changes than the limit', () => {
    const wide = Object.fromEntries(
      Array.from({ length: MAX_CHANGES + 1 }, (_, index) => [`p${index}`, index]),
    )
    expect(readParameterChanges([update(wide)], createContext(govParams({})))).toEqual(
      unknown(`there are more than ${MAX_CHANGES} changes`),
    )
  })

  it('stops early at changes that exceed the limit in total', () => {
    const long = 'x'.repeat(200_000)
    const members = Object.fromEntries(Array.from({ length: 40_000 }, (_, index) => [index, 1]))
    const result = readParameterChanges(
      [update({ [long]: members })],
      createContext(govParams({ [long]: {} })),
    )
    expect(result).toEqual(unknown(`the changes have more than ${MAX_CHANGES_BYTES} bytes`))
  })

  it.each([
    ['null', null],
    ['a text', 'MsgUpdateParams'],
    ['an array', [update({ quorum: '2' })]],
    ['a type that is not a text', { '@type': 7 }],
  ])('have no change for %s instead of a message', (_, message) => {
    expect(readParameterChanges([message], [])).toEqual(only())
  })
})
