// Checks an LMDB file before LMDB maps it: a damaged file would crash the process, or lose records silently.
// Read-only. Layout: `struct MDB_page_header`, `MDB_meta`, `MDB_db`, `MDB_node` in lmdb's mdb.c, data version 2.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { decodeKey, decodeRecord } from './record-codec.ts'

const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const PAGE_HEADER_BYTES = 24
const MAX_PAGE_BYTES = 65_536
const NODE_HEADER_BYTES = 8
/** Of a value on overflow pages: their first number, among others. */
const BIG_NODE_BYTES = 24
const TREE_BYTES = 48
const META_BYTES = PAGE_HEADER_BYTES + 24 + 2 * TREE_BYTES + 16
/** More would be no header: an append adds fewer pages than this to a file. */
const MAX_UNWRITTEN_PAGES = 2 ** 20
const NO_PAGE = 0xffff_ffff_ffff_ffffn
const TABLES = ['format', 'heights', 'records']
const INTEGER_KEYS = 8
const PAGE = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const
const NODE = { big: 1, subTree: 2 } as const

/** A check beside a writer is repeated. */
const TRIES = 4

/** Pages of records that are read in full, the newest first; all others are checked when read. */
const DEEP_BUDGET_BYTES = 256 * 1024 * 1024

class Damage extends Error {}
const refuse = (detail: string): never => {
  throw new Damage(detail)
}

type Tree = { name: string; root: bigint; depth: number }
type Meta = { transaction: bigint; lastPage: bigint; pageBytes: number; free: Tree; main: Tree }
type Node = { flags: number; size: number; key: Buffer; data: Buffer }
type Check = {
  descriptor: number
  pageBytes: number
  transaction: bigint
  /** One for each page that was found, in use or free: no page is found twice. */
  found: Uint8Array
  budgetBytes: number
  /** The first offset of each height, by the records. */
  starts: Map<number, bigint>
}
type Walk = { tree: Tree; last: Buffer | undefined }

const readAt = (descriptor: number, position: number, bytes: number): Buffer => {
  const buffer = Buffer.allocUnsafe(bytes)
  let done = 0
  while (done < bytes) {
    const got = readSync(descriptor, buffer, done, bytes - done, position + done)
    if (got === 0) refuse(`ends at byte ${position + done}, in the middle of a page`)
    done += got
  }
  return buffer
}

const readTree = (bytes: Buffer, at: number, name: string): Tree => {
  const flags = name === 'free pages' ? INTEGER_KEYS : 0
  if (bytes.readUInt16LE(at + 4) !== flags) refuse(`the ${name} are garbled`)
  return { name, depth: bytes.readUInt16LE(at + 6), root: bytes.readBigUInt64LE(at + 40) }
}

const readMeta = (descriptor: number, position: number): Meta => {
  const page = readAt(descriptor, position, META_BYTES)
  const start = PAGE_HEADER_BYTES
  if (!(page.readUInt16LE(18) & PAGE.meta) || page.readUInt32LE(start) !== MAGIC) {
    refuse(`no log header at byte ${position}`)
  }
  const version = page.readUInt32LE(start + 4) & 0xffff
  if (version !== DATA_VERSION) refuse(`written in version ${version} of its file format`)
  const pageBytes = page.readUInt32LE(start + 24)
  if (pageBytes < 512 || pageBytes > MAX_PAGE_BYTES || (pageBytes & (pageBytes - 1)) !== 0) {
    refuse(`the header at byte ${position} is garbled`)
  }
  return {
    pageBytes,
    free: readTree(page, start + 24, 'free pages'),
    main: readTree(page, start + 24 + TREE_BYTES, 'tables'),
    lastPage: page.readBigUInt64LE(start + 24 + 2 * TREE_BYTES),
    transaction: page.readBigUInt64LE(start + 32 + 2 * TREE_BYTES),
  }
}

const claimPages = ({ found }: Check, first: bigint, count = 1): void => {
  const number = Number(first)
  if (number < 2 || number + count > found.length) {
    refuse(`page ${first} is needed, but the file ends after page ${found.length - 1}`)
  }
  if (found.subarray(number, number + count).includes(1)) refuse(`page ${first} is used twice`)
  found.fill(1, number, number + count)
}

const readPages = (check: Check, first: bigint, flag: number, count = 1): Buffer => {
  const { descriptor, pageBytes, transaction } = check
  claimPages(check, first, count)
  const page = readAt(descriptor, Number(first) * pageBytes, count * pageBytes)
  const isIntact =
    page.readBigUInt64LE(0) === first &&
    page.readBigUInt64LE(8) <= transaction &&
    page.readUInt16LE(18) === flag
  return isIntact ? page : refuse(`page ${first} is garbled`)
}

/** Nodes fill a page from `upper` to its end, in any order. */
const readNodes = (page: Buffer): Node[] => {
  const [lower, upper] = [page.readUInt16LE(20), page.readUInt16LE(22)]
  const isBranch = page.readUInt16LE(18) === PAGE.branch
  let freeBytes = page.length - PAGE_HEADER_BYTES - upper
  const nodes = Array.from({ length: lower >> 1 }, (_, at) => {
    const start = page.readUInt16LE(PAGE_HEADER_BYTES + 2 * at) + PAGE_HEADER_BYTES
    const size = page.readUInt32LE(start)
    const flags = page.readUInt16LE(start + 4)
    const keyStart = start + NODE_HEADER_BYTES
    const dataStart = keyStart + page.readUInt16LE(start + 6)
    const end = dataStart + (isBranch ? 0 : flags & NODE.big ? BIG_NODE_BYTES : size)
    freeBytes -= end - start + ((end - start) & 1)
    const [key, data] = [page.subarray(keyStart, dataStart), page.subarray(dataStart, end)]
    return { flags, size, key, data }
  })
  if (freeBytes !== 0) refuse(`page ${page.readBigUInt64LE(0)} is garbled`)
  return nodes
}

/** The page that a node of a branch leads to. */
const readChild = ({ flags, size }: Node): bigint => BigInt(size) + (BigInt(flags) << 32n)

const readValue = (check: Check, { flags, size, data }: Node): Buffer => {
  if (!(flags & NODE.big)) return data
  const count = Math.ceil((PAGE_HEADER_BYTES + size) / check.pageBytes)
  const pages = readPages(check, data.readBigUInt64LE(0), PAGE.overflow, count)
  check.budgetBytes -= pages.length
  return pages.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + size)
}

/** A list of page numbers, after its length. A negative number is the length of the run that the next one begins. */
const claimFreePages = (check: Check, list: Buffer): void => {
  const numbers = Array.from({ length: list.length >> 3 }, (_, at) => list.readBigInt64LE(8 * at))
  const length = Number(numbers[0])
  if (!(length >= 0 && length < numbers.length)) refuse('the list of free pages is garbled')
  let run = 1
  for (const number of numbers.slice(1, length + 1)) {
    if (number > 0n) claimPages(check, number, run)
    run = number < 0n ? Number(-number) : 1
  }
}

const checkRecord = ({ starts }: Check, key: Buffer, value: Buffer): void => {
  const record = decodeRecord(key, value) ?? refuse(`record ${decodeKey(key)} fails its checksum`)
  // From the end: the record that is seen last is the first one of its height.
  starts.set(record.height, record.offset)
}

const checkHeight = ({ starts, budgetBytes }: Check, key: Buffer, value: Buffer): void => {
  // Without the budget, not every record was read.
  if (budgetBytes <= 0 || starts.get(Number(decodeKey(key))) === decodeKey(value)) return
  refuse(`height ${decodeKey(key)} does not begin at record ${decodeKey(value)}`)
}

const checkEntry = (check: Check, walk: Walk, node: Node): void => {
  const { name } = walk.tree
  const isTree = name === 'tables'
  if ((node.flags & ~NODE.big) !== (isTree ? NODE.subTree : 0)) refuse(`the ${name} are garbled`)
  const value = readValue(check, node)
  if (name === 'free pages') claimFreePages(check, value)
  if (name === 'records') checkRecord(check, node.key, value)
  if (name === 'heights') checkHeight(check, node.key, value)
  if (!isTree) return
  const table = node.key.toString('latin1').replace('\0', '')
  if (!TABLES.includes(table)) refuse('the name of a table is garbled')
  checkTree(check, readTree(value, 0, table))
}

/** From the end, keys descend. Numbers of free pages have the byte order of the machine. */
const checkOrder = (walk: Walk, { key }: Node, isLeaf: boolean): void => {
  const bytes = walk.tree.name === 'free pages' ? Buffer.from(key).reverse() : key
  const order = walk.last ? Buffer.compare(bytes, walk.last) : -1
  if (order > 0 || (isLeaf && order === 0)) refuse(`the ${walk.tree.name} are in another order`)
  walk.last = bytes
}

const checkPage = (check: Check, walk: Walk, number: bigint, depth: number): void => {
  const isLeaf = depth === walk.tree.depth
  if (isLeaf && check.budgetBytes <= 0) {
    claimPages(check, number)
    return
  }
  const page = readPages(check, number, isLeaf ? PAGE.leaf : PAGE.branch)
  check.budgetBytes -= isLeaf ? page.length : 0
  const nodes = readNodes(page)
  // From the end: a crash most likely damages the last written pages.
  for (let at = nodes.length - 1; at >= 0; at--) {
    const node = nodes[at] as Node
    if (isLeaf) checkEntry(check, walk, node)
    else checkPage(check, walk, readChild(node), depth + 1)
    // The first key of a branch is empty.
    if (isLeaf || at > 0) checkOrder(walk, node, isLeaf)
  }
}

const checkTree = (check: Check, tree: Tree): void => {
  if (tree.root !== NO_PAGE) checkPage(check, { tree, last: undefined }, tree.root, 1)
}

/** Transactions write the two headers in turn. No page of one is of a later transaction, or its number is garbled. */
const readLatest = (descriptor: number): Meta => {
  const even = readMeta(descriptor, 0)
  const odd = readMeta(descriptor, even.pageBytes)
  const [earlier, latest] = even.transaction < odd.transaction ? [even, odd] : [odd, even]
  const { root } = earlier.main
  const at = Number(root) * earlier.pageBytes + 8
  const written = root === NO_PAGE ? 0n : readAt(descriptor, at, 8).readBigUInt64LE()
  const isInTurn = even.transaction % 2n === 0n && latest.transaction - earlier.transaction === 1n
  if (!isInTurn || written > earlier.transaction) refuse('the number of a transaction is garbled')
  return latest
}

/** Pages past the end of the file are free: they were used and freed within one transaction. */
const checkPages = (descriptor: number): void => {
  const { transaction, lastPage, pageBytes, main, free } = readLatest(descriptor)
  const filePages = Math.floor(fstatSync(descriptor).size / pageBytes)
  if (lastPage > filePages + MAX_UNWRITTEN_PAGES) refuse('the number of pages is garbled')
  const check: Check = {
    descriptor,
    pageBytes,
    transaction,
    found: new Uint8Array(Number(lastPage) + 1),
    budgetBytes: DEEP_BUDGET_BYTES,
    starts: new Map(),
  }
  checkTree(check, main)
  checkTree(check, free)
  if (check.found.subarray(filePages).includes(0)) refuse(`ends after page ${filePages - 1}`)
}

const findDamage = (descriptor: number): string | undefined => {
  try {
    checkPages(descriptor)
    return undefined
  } catch (error) {
    if (error instanceof Damage) return error.message
    // A position outside of its page.
    if (error instanceof RangeError) return 'a page is garbled'
    throw error
  }
}

/** The part of a file that every transaction changes. */
const readStart = (descriptor: number): Buffer => {
  const start = Buffer.alloc(MAX_PAGE_BYTES + META_BYTES)
  readSync(descriptor, start, 0, start.length, 0)
  return start
}

/**
 * The damage of the file, or undefined. A writer may write meanwhile: what is found is damage only if the file is the
 * same after the check. If it never is, the writer has checked it and is at work.
 */
export const checkLogFile = (file: string): string | undefined => {
  const descriptor = openSync(file, 'r')
  try {
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const start = readStart(descriptor)
      const damage = findDamage(descriptor)
      if (damage === undefined || readStart(descriptor).equals(start)) return damage
    }
    return undefined
  } finally {
    closeSync(descriptor)
  }
}
