// The node's words about state, in the wording of several SDK versions, and what each means for us.
import { describe, expect, it } from 'vitest'
import { readAbciAnswer } from '../../../../ingest/comet/abci-answer.ts'

const failed = (code: number, log: string, codespace = 'sdk') => ({
  response: { code, log, codespace, value: null, height: '100' },
})

describe('an answer to a state query', () => {
  it('is the value, empty where the node sends null', () => {
    expect(readAbciAnswer({ response: { code: 0, value: 'AQI=', height: '100' } }, 100)).toEqual({
      kind: 'value',
      value: Buffer.from([1, 2]),
    })
    const empty = readAbciAnswer({ response: { value: null } }, 100)
    expect(empty).toEqual({ kind: 'value', value: Buffer.alloc(0) })
  })

  it('is not_found for a key that is not there', () => {
    const log = "rpc error: code = NotFound desc = proposal 7 doesn't exist: key not found"
    expect(readAbciAnswer(failed(22, log), 100)).toEqual({ kind: 'not_found', log })
  })

  it.each([
    'failed to load state at height 100; version does not exist (latest height: 900)',
    'failed to load state at height 100; no commit info found (latest height: 900)',
    'version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height',
  ])('is pruned where the state is gone: %s', (log) => {
    expect(readAbciAnswer(failed(18, log), 100)).toEqual({ kind: 'pruned', log })
  })

  it.each([
    'cannot query with height in the future; please provide a valid height: invalid height',
    'failed to load state at height 100; version does not exist (latest height: 99)',
    'app is not ready; please wait for first block',
  ])('is asked again where the node is not there yet: %s', (log) => {
    expect(() => readAbciAnswer(failed(26, log), 100)).toThrow(
      expect.objectContaining({ code: 'RPC_REFUSED', retryable: true }),
    )
  })

  it('is a refusal in the words of the node otherwise', () => {
    expect(readAbciAnswer(failed(6, 'unknown query path', 'sdk'), 100)).toEqual({
      kind: 'refused',
      code: 6,
      codespace: 'sdk',
      log: 'unknown query path',
    })
    expect(readAbciAnswer(failed(22, 'a code of a module', 'gov'), 100).kind).toBe('refused')
  })

  it('is garbage where it is of another height, or no answer at all', () => {
    const other = { response: { code: 0, value: '', height: '99' } }
    expect(() => readAbciAnswer(other, 100)).toThrow('asked for the state of 100, got that of 99')
    expect(readAbciAnswer(other, 0).kind).toBe('value')
    expect(() => readAbciAnswer({}, 100)).toThrow(expect.objectContaining({ code: 'RPC_GARBAGE' }))
  })
})
