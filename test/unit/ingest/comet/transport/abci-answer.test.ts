// Tests how the error texts of several SDK versions are classified.
import { describe, expect, it } from 'vitest'
import { queryAbci } from '../../../../../ingest/comet/transport/abci-answer.ts'

/** The meaning of a node's response, as JSON, to a query for the state of `height`. */
const readAnswer = (result: object, height: number) =>
  queryAbci(async <Result>() => result as Result, {
    path: '/x',
    data: Uint8Array.of(1),
    height,
  })

const failed = (code: number, log: string, codespace = 'sdk') => ({
  response: { code, log, codespace, value: null, height: '100' },
})

describe('a response to a state query', () => {
  it('is the value, or empty bytes if the node sends null', async () => {
    const full = { response: { code: 0, value: 'AQI=', height: '100' } }
    expect(await readAnswer(full, 100)).toEqual({
      kind: 'value',
      value: Buffer.from([1, 2]),
    })
    const empty = await readAnswer({ response: { value: null } }, 100)
    expect(empty).toEqual({ kind: 'value', value: Buffer.alloc(0) })
  })

  it('is not_found for a missing key', async () => {
    const log = "rpc error: code = NotFound desc = proposal 7 doesn't exist: key not found"
    expect(await readAnswer(failed(22, log), 100)).toEqual({ kind: 'not_found', log })
  })

  it.each([
    'failed to load state at height 100; version does not exist (latest height: 900)',
    'failed to load state at height 100; no commit info found (latest height: 900)',
    'version mismatch on immutable IAVL tree; version does not exist. Version has either been pruned, or is for a future block height',
  ])('is pruned if the state is deleted: %s', async (log) => {
    expect(await readAnswer(failed(18, log), 100)).toEqual({ kind: 'pruned', log })
  })

  it.each([
    'cannot query with height in the future; please provide a valid height: invalid height',
    'failed to load state at height 100; version does not exist (latest height: 99)',
    'app is not ready; please wait for first block',
  ])('is retried if the node has not reached the height: %s', async (log) => {
    await expect(readAnswer(failed(26, log), 100)).rejects.toThrow(
      expect.objectContaining({ code: 'RPC_REFUSED', retryable: true }),
    )
  })

  it('is a refusal with the message of the node for any other error', async () => {
    expect(await readAnswer(failed(6, 'unknown query path', 'sdk'), 100)).toEqual({
      kind: 'refused',
      code: 6,
      codespace: 'sdk',
      log: 'unknown query path',
    })
    expect((await readAnswer(failed(22, 'a code of a module', 'gov'), 100)).kind).toBe('refused')
  })

  it('is invalid if it has another height, no response, or a value that is no base64', async () => {
    const cut = { response: { code: 0, value: 'AQ!I=', height: '100' } }
    await expect(readAnswer(cut, 100)).rejects.toThrow('the state is not base64')
    const other = { response: { code: 0, value: '', height: '99' } }
    await expect(readAnswer(other, 100)).rejects.toThrow(
      'asked for the state of height 100, got height 99',
    )
    expect((await readAnswer(other, 0)).kind).toBe('value')
    await expect(readAnswer({}, 100)).rejects.toThrow(
      expect.objectContaining({ code: 'RPC_INVALID_RESPONSE' }),
    )
  })
})
