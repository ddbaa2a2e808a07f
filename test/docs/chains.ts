// Writes the chains that `rollcall start <chain>` knows, from the npm package of the public chain registry: what Rollcall uses of each.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

type Chain = {
  chainName: string
  chainType: string
  chainId: string
  bech32Prefix?: string
  keyAlgos?: string[]
  staking?: { stakingTokens: { denom: string }[] }
  apis?: { rpc?: { address: string; provider?: string }[] }
  explorers?: { txPage?: string }[]
}
type Asset = {
  base: string
  display: string
  symbol: string
  denomUnits: { denom: string; exponent: number }[]
}
type Registry = {
  chains: Chain[]
  assetLists: { chainName: string; assets: Asset[] }[]
}

/** In the names of the registry itself, so that its own `chain.json` and `assetlist.json` are read in the same way. */
const toLine = (chain: Chain, assets: readonly Asset[]): string => {
  const denom = chain.staking?.stakingTokens[0]?.denom
  const explorer = chain.explorers?.find(({ txPage }) => txPage?.startsWith('https://'))
  return JSON.stringify({
    chain_name: chain.chainName,
    chain_id: chain.chainId,
    bech32_prefix: chain.bech32Prefix,
    key_algos: chain.keyAlgos,
    staking: denom === undefined ? undefined : { staking_tokens: [{ denom }] },
    apis: { rpc: chain.apis?.rpc?.map(({ address, provider }) => ({ address, provider })) },
    explorers: explorer ? [{ tx_page: explorer.txPage }] : undefined,
    assets: assets
      .filter(({ base }) => base === denom)
      .map(({ base, display, symbol, denomUnits }) => ({
        base,
        display,
        symbol,
        denom_units: denomUnits.map(({ denom, exponent }) => ({ denom, exponent })),
      })),
  })
}

const folder = mkdtempSync(join(tmpdir(), 'chain-registry-'))
try {
  const run = (command: string, ...args: string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8' }).trim()
  const archive = run('npm', 'pack', '--silent', 'chain-registry@latest')
  run('tar', 'xzf', archive)
  const load = createRequire(join(folder, 'package/'))
  const { chains, assetLists } = load('./index.js') as Registry
  const { version } = load('./package.json') as { version: string }
  const assets = new Map(assetLists.map((list) => [list.chainName, list.assets]))
  const lines = chains
    .filter(({ chainType, apis }) => chainType === 'cosmos' && (apis?.rpc?.length ?? 0) > 0)
    .toSorted((one, other) => one.chainName.localeCompare(other.chainName, 'en'))
    .map((chain) => toLine(chain, assets.get(chain.chainName) ?? []))
  const file = new URL('../../infra/app/start/assets/chains.ndjson', import.meta.url)
  writeFileSync(file, `${[JSON.stringify({ registry: version }), ...lines].join('\n')}\n`)
} finally {
  rmSync(folder, { recursive: true })
}
