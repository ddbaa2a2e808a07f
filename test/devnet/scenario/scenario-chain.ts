// The chain of the scenario: one signing pool, forty that need not sign, and the large delegators of the first.
import { type ChainSpec, type PoolSeed, ROLL, type WhaleSeed } from '../genesis.ts'

const monikers = [
  'Harbour Light',
  'Nordwind Stake',
  'Cedar & Sons',
  'Île-de-Stake ⚜️',
  '水杉节点 Metasequoia',
  'Ζήνων Validators',
  'Пульсар',
  'منارة النود',
  'שומר הסף',
  '量子ステーキング',
  '한강 노드',
  'Café Consensus',
  'Quorum Quarry',
  '<b>Bold</b> Pool',
  '<script>alert("pool")</script>',
  '"Quoted" & <Angled>',
  '🦉 Night Owl 🦉',
  '🏴‍☠️ Jolly Validator',
  '\u202eelbisrever\u202c Pool',
  'Zero\u200bWidth Systems',
  "Robert'); DROP TABLE pools;--",
  '[click](javascript:alert(1))',
  '=HYPERLINK("https://example.invalid")',
  'Ne\u0301e Décomposée',
  'मेरु सत्यापन',
  'ไทยโหนด',
  'Lighthouse Keepers',
  'Blue Heron Infrastructure',
  'Old Mill Nodes',
  'Two Rivers',
  'Granite State Staking',
  'Tram 28',
  'Saltmarsh',
  'Polar Night Ops',
  'Kestrel Labs',
  'Copper Beech',
  'Weaver Street',
  'Aurora Borealis 極光',
  'Mistral',
  'Last & Least',
] as const

const GENESIS_POOLS: readonly PoolSeed[] = [
  {
    moniker: 'Rollcall Foundation',
    details: 'Signs the blocks of the demo chain.',
    selfTokens: 20_000_000n * ROLL,
  },
  ...monikers.map((moniker, index) => ({
    moniker,
    details: index % 4 === 0 ? `Pool ${index + 1} — uptime is our pride & joy.` : '',
    // From 1,400,000 down to about 65,000, with odd base units so that nothing divides evenly.
    selfTokens:
      (1_400_000n * ROLL * 100n) / (100n + 52n * BigInt(index)) + BigInt(index * 7919 + 13),
    sharesPerMillion: index % 3 === 1 ? 1_000_000n + BigInt(index * 731 + 101) : 1_000_000n,
    commission: `0.${String(5 + (index % 16)).padStart(2, '0')}0000000000000000`,
  })),
]

/** Delegators of the first pool who own most of its stake and vote for themselves. */
const WHALES: readonly WhaleSeed[] = [
  'treasury',
  'exchange-north',
  'exchange-south',
  'custodian',
  'founder-a',
  'founder-b',
  'early-backer',
  'market-maker',
  'dao-vault',
  'endowment',
].map((name, index) => ({
  name: `whale ${name}`,
  pool: 0,
  tokens: (5_000_000n + BigInt(index) * 444_443n) * ROLL,
}))

export const SCENARIO_CHAIN: ChainSpec = {
  program: 'wasmd',
  chainId: 'rollcall-demo-1',
  addressPrefix: 'wasm',
  periods: { votingSeconds: 75, expeditedSeconds: 25, depositSeconds: 30 },
  pools: GENESIS_POOLS,
  whales: WHALES,
  editGenesis: (app) => {
    app.gov.constitution =
      'Rollcall demo chain: every vote is counted, every count can be checked, nothing is forgotten.'
  },
}
