// Tests the parameters that the messages of a proposal change, compared with observed state.
import { describe, expect, it } from 'vitest'
import {
  MAX_CHANGES,
  MAX_CHANGES_BYTES,
  readParameterChanges,
} from '../../../../projections/fold/parameter-changes.ts'

type Observed = { query: string; response: unknown; reason?: string }

const GOV = '/cosmos.gov.v1.MsgUpdateParams'
const update = (params: unknown, type = GOV) => ({ '@type': type, authority: 'gov', params })
const govParams = (params: unknown): Observed => ({
  query: '/cosmos.gov.v1.Query/Params',
  response: { params },
})

const read = (messages: readonly unknown[], ...observed: readonly Observed[]) =>
  readParameterChanges(
    messages,
    observed.map(({ query, response, reason = null }) => {
      return { query, request: {}, response: response as Record<string, unknown>, reason }
    }),
  )
const only = (...changes: [message: number, path: string, from: unknown, to: unknown][]) => ({
  changes: changes.map(([message, path, from, to]) => ({ message, path, from, to })),
  reason: null,
})
const unknown = (reason: string) => ({ changes: null, reason })

describe('an update of the parameters of a module', () => {
  it('lists the members that differ, nested ones by path and arrays as a whole', () => {
    const inForce = { burn: true, tally: { quorum: '0.3', veto: '0.3' }, deposit: [{ a: '1' }, 2] }
    const next = { burn: true, tally: { quorum: '0.4', veto: '0.3' }, deposit: [{ a: '3' }, 2] }
    expect(read([update(next)], govParams(inForce))).toEqual(
      only([0, 'tally.quorum', '0.3', '0.4'], [0, 'deposit', [{ a: '1' }, 2], [{ a: '3' }, 2]]),
    )
  })

  it('has null for a missing side, and treats an absent member as null', () => {
    const inForce = govParams({ old: '1', kept: null, group: null })
    expect(read([update({ added: 2, group: { a: 1 } })], inForce)).toEqual(
      only([0, 'added', null, 2], [0, 'group', null, { a: 1 }], [0, 'old', '1', null]),
    )
  })

  it('treats equal members in another order as equal', () => {
    const inForce = govParams({ a: [{ x: 1, y: 2 }], b: { c: 1, d: 2 } })
    const next = { b: { d: 2, c: 1 }, a: [{ y: 2, x: 1 }] }
    expect(read([update(next)], inForce)).toEqual(only())
  })

  it('compares names of inherited object properties like any others', () => {
    const inForce = JSON.parse('{"__proto__": {"a": 1}, "constructor": "x", "toString": null}')
    const next = JSON.parse('{"__proto__": {"a": 2}, "constructor": "y"}')
    expect(read([update(next)], govParams(inForce))).toEqual(
      only([0, '__proto__.a', 1, 2], [0, 'constructor', 'x', 'y']),
    )
    expect(Object.getPrototypeOf({})).toBe(Object.prototype)
  })

  it('uses the query in the same package whose response has parameters, whatever its method is', () => {
    const observed = [
      { query: '/ibc.core.client.v1.Query/ClientStatus', response: { status: 'Active' } },
      { query: '/ibc.core.client.v1.Query/ClientParams', response: { params: { allowed: ['*'] } } },
      govParams({ allowed: ['of another module'] }),
    ]
    const message = update({ allowed: [] }, '/ibc.core.client.v1.MsgUpdateParams')
    expect(read([message], ...observed)).toEqual(only([0, 'allowed', ['*'], []]))
  })

  it('compares each member of a message without params with the parameter of that name', () => {
    const type = '/cosmos.consensus.v1.MsgUpdateParams'
    const block = { max_bytes: '2', max_gas: '-1' }
    const message = { '@type': type, authority: 'gov', block, abci: null }
    const params = { block: { ...block, max_bytes: '1' }, version: { app: '1' } }
    const observed = { query: '/cosmos.consensus.v1.Query/Params', response: { params } }
    expect(read([message], observed)).toEqual(only([0, 'block.max_bytes', '1', '2']))
  })

  it('is not known without the current parameters', () => {
    const messages = [update({ quorum: '1' })]
    const notObserved = unknown('message 0: the current parameters were not observed')
    expect(read(messages)).toEqual(notObserved)
    expect(read(messages, { ...govParams({}), response: {} })).toEqual(notObserved)
    const pruned = { ...govParams({}), response: null, reason: 'pruned' }
    const reason = 'message 0: the current parameters are unknown: pruned'
    expect(read(messages, pruned)).toEqual(unknown(reason))
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
    const { changes, reason: given } = read([message], govParams({ quorum: '1', period: '3s' }))
    expect(changes).toBeNull()
    expect(given).toMatch(reason)
  })

  it('makes all changes unknown if one message cannot be compared, and names that message', () => {
    const messages = [update({ quorum: '2' }), update({ a: 1 }, '/x.mint.v1.MsgUpdateParams')]
    const reason = 'message 1: the current parameters were not observed'
    expect(read(messages, govParams({ quorum: '1' }))).toEqual(unknown(reason))
  })
})

describe('nested messages', () => {
  const EXEC = '/cosmos.authz.v1beta1.MsgExec'

  it('have their changes under the index of the outer message, unless they are for another chain', () => {
    const exec = { '@type': EXEC, msgs: [update({ quorum: '2' })] }
    const group = { '@type': '/cosmos.group.v1.MsgSubmitProposal', messages: [exec] }
    const remote = { '@type': '/x.intertx.v1.MsgSubmitTx', msg: update({ quorum: '4' }) }
    const undecoded = { '@type': '/x.v1.MsgOther', value: 'AAAA' }
    const messages = [undecoded, group, update({ quorum: '3' }), remote]
    expect(read(messages, govParams({ quorum: '1' }))).toEqual(
      only([1, 'quorum', '1', '2'], [2, 'quorum', '1', '3']),
    )
  })

  it('make the changes unknown if they are not decoded', () => {
    const reason = `message 0: ${EXEC} is not decoded`
    expect(read([{ '@type': EXEC, value: 'AAAA' }])).toEqual(unknown(reason))
  })
})

describe('hostile messages', () => {
  it('stop the comparison at a number and a size of changes', () => {
    const wide = Object.fromEntries(Array.from({ length: MAX_CHANGES + 1 }, (_, at) => [at, at]))
    const many = unknown(`there are more than ${MAX_CHANGES} changes`)
    expect(read([update(wide)], govParams({}))).toEqual(many)
    const long = 'x'.repeat(200_000)
    const members = Object.fromEntries(Array.from({ length: 40_000 }, (_, at) => [at, 1]))
    const large = unknown(`the changes have more than ${MAX_CHANGES_BYTES} bytes`)
    expect(read([update({ [long]: members })], govParams({ [long]: {} }))).toEqual(large)
  })

  it.each([null, 'MsgUpdateParams', [update({ quorum: '2' })], { '@type': 7 }])(
    'have no change for %j instead of a message',
    (message) => expect(read([message])).toEqual(only()),
  )
})
