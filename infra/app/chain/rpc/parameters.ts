// Reads the parameters of a call, with the checks and errors of a real node.
import { describeFutureHeight, describePrunedHeight } from './forms.ts'
import type { NodeView } from './node-view.ts'
import { internalError, invalidParams, type RpcCall } from './reply.ts'

type Params = RpcCall['params']

export const readInteger = (params: Params, name: string): bigint | undefined => {
  const value = params[name]
  if (value === undefined || value === null || value === '') return undefined
  if (typeof value !== 'string') {
    const said = JSON.stringify(JSON.stringify(value))
    throw invalidParams(`invalid 64-bit integer encoding ${said}, expected string`)
  }
  if (!/^-?\d{1,19}$/.test(value)) {
    throw invalidParams(`invalid character '${value[0]}' looking for beginning of value`)
  }
  return BigInt(value)
}

/** The tip by default. */
export const readHeight = (params: Params, { form, tip, lowest }: NodeView): number => {
  const requested = readInteger(params, 'height')
  if (requested === undefined) return tip
  if (requested <= 0n) throw internalError(`height must be greater than 0, but got ${requested}`)
  if (requested > BigInt(tip)) throw internalError(describeFutureHeight(form, requested, tip))
  if (requested < BigInt(lowest.block)) {
    throw internalError(describePrunedHeight(form, requested, lowest.block))
  }
  return Number(requested)
}

export const readBytes = (params: Params, name: string): Buffer => {
  const value = params[name] ?? ''
  if (typeof value !== 'string' || !/^([0-9a-f]{2})*$/i.test(value)) {
    throw invalidParams('encoding/hex: invalid byte')
  }
  return Buffer.from(value, 'hex')
}

const DEFAULT_PER_PAGE = 30n
const MAX_PER_PAGE = 100n

export const readPage = <Item>(params: Params, items: readonly Item[]): readonly Item[] => {
  const requested = readInteger(params, 'per_page') ?? DEFAULT_PER_PAGE
  const perPage =
    requested < 1n ? DEFAULT_PER_PAGE : requested > MAX_PER_PAGE ? MAX_PER_PAGE : requested
  const pages = (BigInt(items.length) - 1n) / perPage + 1n
  const page = readInteger(params, 'page') ?? 1n
  if (page < 1n || page > pages) {
    throw internalError(`page should be within [1, ${pages}] range, given ${page}`)
  }
  const from = Number((page - 1n) * perPage)
  return items.slice(from, from + Number(perPage))
}
