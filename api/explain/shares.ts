// The share of a pool or of a balance that is spent, truncated to hundredths of a percent.
import { ATTO, toAtto } from '../../ingest/contract/decimal.ts'
import { formatHundredths } from '../display-unit.ts'
import { type Coin, getMember } from './members.ts'

/** More than a 256-bit integer with 18 places needs. */
const MAX_DECIMAL = 100
const HUNDREDTHS_OF_PERCENT = 10_000n

/** `whole` is a decimal: the community pool of x/distribution has parts of base units. Undefined if it is not a decimal. */
export const shareText = (part: string, whole: string): string | undefined => {
  const all = whole.length > MAX_DECIMAL ? undefined : toAtto(whole)
  if (all === undefined) return undefined
  const spent = BigInt(part) * ATTO
  if (spent > all) return 'more than'
  if (all === 0n) return undefined
  const share = (spent * HUNDREDTHS_OF_PERCENT) / all
  if (share === 0n && spent > 0n) return 'less than 0.01 % of'
  return `${formatHundredths(share)} % of`
}

/** The share of a coin in a list of coins. A denom that is not in the list has the amount 0. Undefined without a list. */
export const coinShareText = ({ denom, amount }: Coin, coins: unknown): string | undefined => {
  if (!Array.isArray(coins)) return undefined
  const [whole = '0'] = coins
    .filter((coin) => getMember(coin, 'denom') === denom)
    .map((coin) => getMember(coin, 'amount'))
    .filter((found) => typeof found === 'string')
  return shareText(amount, whole)
}
