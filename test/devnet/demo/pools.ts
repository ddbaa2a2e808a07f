// The sixty pools of the demo: names, descriptions and commissions that are invented. No stake.
import { createHash } from 'node:crypto'
import type { PoolSeed } from '../chain-spec.ts'

/** `name | details | commission in percent`, the largest pool first. */
const LINES = `
Harbour Light|Independent operator since the first block. Two sites, sentry nodes in three regions.|5
Cedar Grove Staking|A cooperative of forty members. Reports on every vote.|5
Meridian Nodes|Bare metal in our own racks. Monthly uptime reports.|8
Blue Heron|Infrastructure for public networks.|6
Old Mill Validators|Run by two engineers who answer the phone.|5
Kestrel Stake|Monitoring tools and dashboards, all open source.|7
Two Rivers|Non-custodial staking with a written voting policy.|5
Granite Point|Four nines of uptime, published every quarter.|10
Lantern Works|Education and staking for newcomers.|5
Tidewater|Renewable energy only.|6
Copper Beech|Long-term delegators get a report before each vote.|8
Saltmarsh|A small team on the coast.|5
Northgate|Validator and relayer operator.|7
Fieldstone|We vote on everything and say why.|5
Alder and Finch|Research on governance and incentives.|9
Quarry Lane|Hardware in two independent data centers.|5
Windmill Collective|Owned by its delegators.|5
Marigold|Community validator. A tenth of the commission goes to public goods.|10
Stonebridge|Operated since the test network.|6
Ferryman|Relayer on four channels.|5
Juniper Node|Documentation and translations.|5
Weaver Street|Tools for multisignature accounts.|8
Orchard|Small, stable, boring.|5
Riverbend|Archive nodes for everyone.|7
Slate Roof|Security reviews for contracts.|10
Polar Night|Runs from the far north, cooled by the outside air.|5
Mistral|Validator of a student association.|5
Tram 28|Three friends and a rack.|6
Hearthside|Home-grown validator with a backup in the cloud.|5
Barley Field|Block explorer and indexer.|7
Osprey Watch|Alerts for delegators.|5
Crossroads|Bridges and oracles.|8
Bellwether|Publishes a voting guide.|6
Sundial|Time-stamped backups, tested every month.|5
Foxglove|Privacy research.|9
Hollow Oak|No downtime in two years.|5
Lighthouse Keepers|Guards the coast and the chain.|6
Paper Crane|Onboarding in six languages.|5
Thistle Hill|Grants and mentoring for developers.|10
Amber Coast|Validator for the Baltic community.|5
Wren|One node, well kept.|5
Millstone|We grind slowly but exceedingly fine.|7
Silver Birch|Hosted by a university lab.|5
Cobblestone|Governance watch and vote reminders.|6
Evergreen Stake|Carbon accounting for validators.|8
Harvest Moon|Delegation programme partner.|5
Basalt|Hardened hosts and offline keys.|10
Linden Square|Neighbourhood validator.|5
Pebble Beach Nodes|Small stones, steady waves.|6
Drift|Runs on recycled servers.|5
Clover|Three-leaf redundancy.|7
Ravine|Deep logs, quick answers.|5
Turnstile|Rate limits and public endpoints.|6
Greenhouse|Testnets first.|5
Bramble|A hobby that got serious.|5
Keystone Relay|Relayer operations around the clock.|8
Windowsill|Plants and proof of stake.|5
Plum Tree|Validator of a book club.|5
Northern Wick|Candle-lit operations.|6
Last Stop|The smallest pool, and glad to be here.|5`

const toDomain = (moniker: string) =>
  `${moniker.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example`

/** Sixteen digits, as of a key that identifies an operator. */
const toIdentity = (moniker: string) =>
  createHash('sha256').update(`identity of ${moniker}`).digest('hex').slice(0, 16).toUpperCase()

export type PoolProfile = Omit<PoolSeed, 'selfTokens' | 'sharesPerMillion'>

export const POOL_PROFILES: readonly PoolProfile[] = LINES.trim()
  .split('\n')
  .map((line, index) => {
    const [moniker = '', details = '', percent = ''] = line.split('|')
    const domain = toDomain(moniker)
    return {
      moniker,
      details,
      // The small ones have fewer of them.
      identity: index % 7 === 6 ? '' : toIdentity(moniker),
      website: index % 5 === 4 ? '' : `https://${domain}`,
      securityContact: index % 3 === 2 ? '' : `security@${domain}`,
      commission: `0.${percent.padStart(2, '0')}0000000000000000`,
    }
  })
