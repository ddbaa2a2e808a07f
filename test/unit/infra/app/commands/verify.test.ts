import { describe, expect, it } from 'vitest'
import type { OptionValue } from '../../../../../infra/app/commands/command.ts'
import { proofVerify } from '../../../../../infra/app/commands/verify.ts'
import { createTerminal } from '../../../../../infra/app/terminal/terminal.ts'
import type { GetFromApi } from '../../../../../infra/base/proof/verify-from-api.ts'
import { serve } from '../../../../support/http/serve.ts'
import { computeHash, createProofApi, RECORDED } from '../../../../support/proof/proof-api.ts'

const [passed] = RECORDED.proposals
const [first] = RECORDED.lightBlocks
if (!passed || !first) throw new Error('the recording has no proposal')
const TRUST = `1:${computeHash(first)}`

const run = async (
  args: readonly string[],
  options: Record<string, OptionValue>,
  command = proofVerify,
) => {
  const written: string[] = []
  const output = { write: (text: string) => written.push(text) }
  const code = await command.run({
    args,
    options,
    env: {},
    process,
    version: '0.0.0',
    terminal: createTerminal(output, output),
    signal: AbortSignal.timeout(60_000),
  })
  return { code, text: written.join('') }
}

const verifyAt = async (get: GetFromApi, options: Record<string, OptionValue> = {}) => {
  const url = await serve(async (request, response) => {
    const { status, body } = await get(request.url ?? '')
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  return run([passed.id], { trust: TRUST, url, ...options })
}

const api = () => createProofApi(RECORDED)

/** The recorded API, with changed JSON in all responses. */
const tampered = (change: (text: string) => string): GetFromApi => {
  const { get } = api()
  return async (path) => {
    const { status, body } = await get(path)
    return { status, body: JSON.parse(change(JSON.stringify(body))) }
  }
}

describe('rollcall proof verify at a Rollcall', () => {
  it('prints each step of the proof, and its limits', {
    tags: 'infra:proof-needs-no-trust',
  }, async () => {
    const { code, text } = await verifyAt(api().get)
    expect(text).toContain(
      `proposal ${passed.id} at height ${passed.proof.height}: passed, final tally: yes `,
    )
    expect(text.match(/^[1-4]\. /gm)).toHaveLength(4)
    expect(text).toMatch(
      /From the header 1 of 20\d\d-\d\d-\d\dT\d\d:\d\d:\d\dZ that you trust, one hop leads to it: \d+\./,
    )
    expect(text).toContain('Not proved by this: the single votes')
    expect(code).toBe(0)
  })

  it('exits with 1 and the reason if the proof is not valid', {
    tags: 'infra:proof-needs-no-trust',
  }, async () => {
    const changed = await verifyAt(
      tampered((text) => text.replace('"value":"CAEYAy', '"value":"CAEYBC')),
    )
    expect(changed.text).toContain('not proved (wrong_value): ')
    expect(changed.code).toBe(1)
    const unsigned = await verifyAt(
      tampered((text) =>
        text.replace(/"signature":"(.)(.)/, (_, one, other) => `"signature":"${other}${one}`),
      ),
    )
    expect(unsigned.text).toContain('not proved (wrong_signature): ')
    expect(unsigned.code).toBe(1)
    const other = await verifyAt(api().get, { trust: `1:${'AB'.repeat(32)}` })
    expect(other.text).toContain(
      'not proved (not_trusted): The header of height 1 does not have the trusted hash ABAB',
    )
    expect(other.code).toBe(1)
  })

  it('prints no control characters from the server', async () => {
    const get = tampered((text) => text.replace('"store":"gov"', '"store":"\\u001b[2Jgov"'))
    const { text } = await verifyAt(get)
    expect(text).toContain('not proved (wrong_store): The proof is of the store \\u001b[2Jgov')
    expect(text).not.toContain('\u001b')
  })
})
