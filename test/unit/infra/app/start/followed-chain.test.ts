// Tests of a start by the name of a chain: which of its public endpoints are taken and kept.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import {
  type FollowOptions,
  followChain,
  withFollowedChain,
} from '../../../../../infra/app/start/followed-chain.ts'
import { createTerminal } from '../../../../../infra/app/terminal/terminal.ts'
import type { Environment } from '../../../../../infra/base/runtime/config.ts'
import { createLogger } from '../../../../../infra/base/runtime/logger.ts'
import { CHAIN_ID, startRegistry } from '../../../../support/endpoint/simulated-registry.ts'
import { createFakeClock } from '../../../../support/process/fake-clock.ts'
import { createTemporaryDirectory } from '../../../../support/process/temporary-directory.ts'

const setup = async (kinds: Parameters<typeof startRegistry>[1]) => {
  const directory = createTemporaryDirectory('followed-chain')
  onTestFinished(directory.remove)
  const registry = await startRegistry(directory.path, kinds)
  onTestFinished(registry.close)
  const lines: string[] = []
  const out = { write: (text: string) => lines.push(text.trimEnd()) }
  const refused: { endpoint: string; reason: string }[] = []
  const destination = {
    write: (text: string) => {
      const line = JSON.parse(text) as { endpoint?: string; reason: string }
      if (line.endpoint) refused.push({ endpoint: line.endpoint, reason: line.reason })
    },
  }
  const options: FollowOptions = {
    env: {},
    name: registry.file,
    chainFile: join(directory.path, 'chain.json'),
    indexed: undefined,
    terminal: createTerminal(out, out),
    logger: createLogger({ service: 'test', level: 'info', destination }),
    signal: new AbortController().signal,
    clock: createFakeClock({ startMs: Date.now() }),
  }
  const url = (operator: string) => registry.endpoints.get(operator)?.url ?? ''
  const reasonOf = (operator: string) =>
    refused.find(({ endpoint }) => endpoint === registry.endpoints.get(operator)?.host)?.reason
  const follow = (more: Partial<FollowOptions> = {}) => followChain({ ...options, ...more })
  return { ...registry, lines, options, url, reasonOf, follow, path: directory.path }
}

const urlsOf = (env: Environment | undefined, name = 'CHAIN_RPC_URLS') =>
  new Set(env?.[name]?.split(','))

describe('a start by the name of a chain', () => {
  it('takes two good endpoints of different operators, and says and keeps the choice', {
    tags: ['infra:endpoints-are-chosen'],
  }, async () => {
    const { follow, url, reasonOf, lines, options } = await setup({
      'Alpha 1': 'archive',
      'Alpha 2': 'archive',
      Beta: 'archive',
      Dead: 'dead',
      Pruned: 'pruned',
      Discards: 'discards',
      Elsewhere: 'other chain',
      Liar: 'lying',
    })
    const env = await follow()
    const chosen = urlsOf(env)
    expect(chosen.size).toBe(2)
    expect(chosen).toContain(url('Beta'))
    expect(chosen.has(url('Alpha 1')) || chosen.has(url('Alpha 2'))).toBe(true)
    expect(env).toMatchObject({
      CHAIN_ID,
      DISPLAY_UNIT: 'ATOM=uatom/6',
      EXPLORER_TX_URL: 'https://explorer.example/tx/{txHash}',
      WALLET_CHAINS: 'cosmoshub-4:cosmos:secp256k1',
    })
    expect(env?.['ARCHIVE_RPC_URLS']).toBeUndefined()
    expect(reasonOf('Dead')).toMatch(/ECONNREFUSED/)
    expect(reasonOf('Discards')).toMatch(/none of height 399/)
    expect(reasonOf('Elsewhere')).toMatch(/on chain osmosis-1, not on cosmoshub-4/)
    expect(reasonOf('Liar')).toMatch(/not have the block of most endpoints at height 397/)
    expect(lines).toEqual([
      'cosmoshub is cosmoshub-4: 4 of 8 endpoints of the chain registry are usable',
      expect.stringMatching(
        /^Endpoints: 127\.0\.0\.1:\d+ \((?:Alpha|Beta)\) and 127.* \((?:Alpha|Beta)\)$/,
      ),
      `Kept in ${options.chainFile}; with CHAIN_RPC_URLS you choose endpoints yourself`,
    ])
  })

  it('asks the endpoint with the oldest states for them, and none that refuses', async () => {
    const { follow, url, reasonOf, lines } = await setup({
      Deep: 'slow',
      One: 'pruned',
      Two: 'pruned',
      Limited: 'limited',
    })
    const env = await follow()
    expect(urlsOf(env)).toEqual(new Set([url('One'), url('Two')]))
    expect(urlsOf(env, 'ARCHIVE_RPC_URLS')).toEqual(new Set([url('Deep')]))
    expect(lines).toContainEqual(expect.stringMatching(/; old states from 127.* \(Deep\)$/))
    expect(reasonOf('Limited')).toMatch(/refuses requests/)
  })

  it('keeps its endpoints at the next start, replaces one that has failed since, and continues offline', async () => {
    const { follow, close, url, endpoints, lines, options, path } = await setup({
      Alpha: 'archive',
      Beta: 'archive',
      Gamma: 'pruned',
    })
    const { name = '' } = options
    const entry = JSON.parse(readFileSync(name, 'utf8'))
    // As some entries of the registry have it.
    writeFileSync(name, JSON.stringify({ ...entry, rpc: [...entry.rpc, ...entry.rpc] }))
    const first = urlsOf(await follow())
    expect(first).toEqual(new Set([url('Alpha'), url('Beta')]))
    lines.length = 0
    expect(urlsOf(await follow({ name: undefined }))).toEqual(first)
    expect(lines).toEqual([expect.stringMatching(/^Endpoints: .*, as before$/)])

    await endpoints.get('Alpha')?.close()
    const next = urlsOf(await follow({ name: undefined }))
    expect(next).toEqual(new Set([url('Beta'), url('Gamma')]))
    expect(readFileSync(options.chainFile, 'utf8')).toContain(url('Gamma'))
    // The other commands follow the same chain.
    expect(urlsOf(withFollowedChain({ DATA_DIR: path }))).toEqual(next)

    await close()
    expect(urlsOf(await follow({ name: undefined }))).toEqual(next)
    expect(lines.at(-1)).toMatch(/^No endpoint answers now/)
  })

  it('takes endpoints that have no headers of ranges', async () => {
    const { follow, url } = await setup({ Alpha: 'no headers', Beta: 'no headers' })
    expect(urlsOf(await follow())).toEqual(new Set([url('Alpha'), url('Beta')]))
  })

  it('chooses none if no block has a majority, or no endpoint is usable', async () => {
    const { follow } = await setup({ Alpha: 'archive', Liar: 'lying' })
    await expect(follow()).rejects.toMatchObject({ code: 'RPC_DISAGREEMENT' })
    const none = await setup({ Dead: 'dead', Elsewhere: 'other chain' })
    await expect(none.follow()).rejects.toMatchObject({ code: 'RPC_UNAVAILABLE' })
  })
})
