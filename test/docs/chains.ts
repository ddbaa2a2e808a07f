// Writes the chains that `rollcall start <chain>` knows, from the npm package of the public chain registry: what Rollcall uses of each.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseDisplayUnit } from '../../api/words/display-unit.ts'

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

const CURVES: Readonly<Record<string, string>> = {
  secp256k1: 'secp256k1',
  ethsecp256k1: 'eth-secp256k1',
}

const readUnit = (denom: string | undefined, assets: readonly Asset[]): string | undefined => {
  const asset = assets.find(({ base }) => base === denom)
  const unit = asset?.denomUnits.find(({ denom: each }) => each === asset.display)
  const text = asset && unit ? `${asset.symbol}=${asset.base}/${unit.exponent}` : undefined
  return text && parseDisplayUnit(text) ? text : undefined
}

const readExplorer = ({ explorers = [] }: Chain): string | undefined => {
  const pages = explorers.map(({ txPage = '' }) => txPage.replaceAll(/\$\{(\w+)\}/g, '{$1}'))
  return pages.find((page) => /^https:[^{}]*\{txHash\}[^{}]*$/.test(page))
}

const readWallets = (chain: Chain): string | undefined => {
  const { chainId, bech32Prefix: prefix, keyAlgos = ['secp256k1'] } = chain
  const curve = keyAlgos.map((key) => CURVES[key]).find(Boolean)
  return prefix && curve ? `${chainId}:${prefix}:${curve}` : undefined
}

const toLine = (chain: Chain, assets: readonly Asset[]): string =>
  JSON.stringify({
    name: chain.chainName,
    chainId: chain.chainId,
    settings: {
      DISPLAY_UNIT: readUnit(chain.staking?.stakingTokens[0]?.denom, assets),
      EXPLORER_TX_URL: readExplorer(chain),
      WALLET_CHAINS: readWallets(chain),
    },
    rpc: chain.apis?.rpc?.map(({ address, provider }) => ({ address, provider })),
  })

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
