// Checks an LMDB file before LMDB maps it: a damaged file would crash the process.
// Read-only. Layout: `struct MDB_page_header`, `MDB_meta`, `MDB_db`, `MDB_node` in lmdb's mdb.c, data version 2.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { decodeRecord } from './record-codec.ts'

const MAGIC = 0xbeefc0de
const DATA_VERSION = 2
const PAGE_HEADER_BYTES = 24
const NODE_HEADER_BYTES = 8
const DATABASE_BYTES = 48
const META_BYTES = PAGE_HEADER_BYTES + 24 + 2 * DATABASE_BYTES + 16
const NO_PAGE = 0xffff_ffff_ffff_ffffn
const MAX_DEPTH = 32
const FLAG = { branch: 1, leaf: 2, overflow: 4, meta: 8 } as const
const NODE = { big: 1, subDatabase: 2 } as const

/** Pages of records that are read in full, the newest first; all others are checked when read. */
const DEEP_BUDGET_BYTES = 256 * 1024 * 1024

class Damage extends Error {}
const refuse = (detail: string): never => {
  throw new Damage(detail)
}

type Check = { descriptor: number; pageBytes: number; pages: number; budgetBytes: number }
type Tree = { name: string; root: bigint; depth: number }
type Node = { flags: number; low: number; key: Buffer; data: Buffer; child: bigint }

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

const treeAt = (meta: Buffer, position: number, name: string): Tree => ({
  name,
  depth: meta.readUInt16LE(position + 6),
  root: meta.readBigUInt64LE(position + 40),
})

type Meta = { transaction: bigint; pageBytes: number; free: Tree; main: Tree }

const readMeta = (descriptor: number, position: number): Meta => {
  const page = readAt(descriptor, position, META_BYTES)
  const start = PAGE_HEADER_BYTES
  if (!(page.readUInt16LE(18) & FLAG.meta) || page.readUInt32LE(start) !== MAGIC) {
    refuse(`no log header at byte ${position}`)
  }
  const version = page.readUInt32LE(start + 4) & 0xffff
  if (version !== DATA_VERSION) refuse(`written in version ${version} of its file format`)
  const pageBytes = page.readUInt32LE(start + 24)
  if (pageBytes < 512 || pageBytes > 65536 || (pageBytes & (pageBytes - 1)) !== 0) {
    refuse(`the header at byte ${position} is garbled`)
  }
  return {
    pageBytes,
    free: treeAt(page, start + 24, 'free pages'),
    main: treeAt(page, start + 24 + DATABASE_BYTES, 'tables'),
    transaction: page.readBigUInt64LE(start + 24 + 2 * DATABASE_BYTES + 8),
  }
}

const readPage = (check: Check, number: bigint, flag: number, count = 1): Buffer => {
  if (number < 2n || number + BigInt(count) > BigInt(check.pages)) {
    refuse(`page ${number} is needed, but the file ends after page ${check.pages - 1}`)
  }
  const page = readAt(check.descriptor, Number(number) * check.pageBytes, count * check.pageBytes)
  if (page.readBigUInt64LE(0) !== number || !(page.readUInt16LE(18) & flag)) {
    refuse(`page ${number} is garbled`)
  }
  return page
}

const readNodes = (page: Buffer, number: bigint): Node[] => {
  const count = page.readUInt16LE(20) >> 1
  const isBranch = (page.readUInt16LE(18) & FLAG.branch) !== 0
  if (count === 0 || PAGE_HEADER_BYTES + 2 * count > page.length) {
    refuse(`page ${number} is garbled`)
  }
  return Array.from({ length: count }, (_, at) => {
    const start = page.readUInt16LE(PAGE_HEADER_BYTES + 2 * at) + PAGE_HEADER_BYTES
    if (start + NODE_HEADER_BYTES > page.length) refuse(`page ${number} is garbled`)
    const low = page.readUInt32LE(start)
    const flags = page.readUInt16LE(start + 4)
    const keyStart = start + NODE_HEADER_BYTES
    const dataStart = keyStart + page.readUInt16LE(start + 6)
    const dataBytes = isBranch ? 0 : flags & NODE.big ? 24 : low
    if (dataStart + dataBytes > page.length) refuse(`page ${number} is garbled`)
    return {
      flags,
      low,
      key: page.subarray(keyStart, dataStart),
      data: page.subarray(dataStart, dataStart + dataBytes),
      child: BigInt(low) + BigInt(flags) * 2n ** 32n,
    }
  })
}

const recordBytes = (check: Check, node: Node): Buffer => {
  if (!(node.flags & NODE.big)) return node.data
  const count = Math.ceil((PAGE_HEADER_BYTES + node.low) / check.pageBytes)
  const page = readPage(check, node.data.readBigUInt64LE(0), FLAG.overflow, count)
  check.budgetBytes -= page.length
  return page.subarray(PAGE_HEADER_BYTES, PAGE_HEADER_BYTES + node.low)
}

const checkLeaf = (check: Check, tree: Tree, node: Node): void => {
  if (tree.name === 'tables' && node.flags & NODE.subDatabase) {
    if (node.data.length !== DATABASE_BYTES) refuse('the list of tables is garbled')
    const name = node.key.toString('latin1').replaceAll('\0', '')
    walk(check, treeAt(node.data, 0, name))
  }
  if (tree.name === 'records' && !decodeRecord(node.key, recordBytes(check, node))) {
    const offset = node.key.length === 8 ? node.key.readBigUInt64BE() : '?'
    refuse(`record ${offset} fails its checksum`)
  }
}

const walkPage = (check: Check, tree: Tree, number: bigint, depth: number): void => {
  const isLeaf = depth === tree.depth
  if (isLeaf && check.budgetBytes <= 0) {
    if (number >= BigInt(check.pages)) readPage(check, number, FLAG.leaf)
    return
  }
  const page = readPage(check, number, isLeaf ? FLAG.leaf : FLAG.branch)
  check.budgetBytes -= isLeaf ? page.length : 0
  // From the end: a crash most likely damages the last written pages.
  for (const node of readNodes(page, number).reverse()) {
    if (isLeaf) checkLeaf(check, tree, node)
    else walkPage(check, tree, node.child, depth + 1)
  }
}

const walk = (check: Check, tree: Tree): void => {
  if (tree.root === NO_PAGE) return
  if (tree.depth === 0 || tree.depth > MAX_DEPTH) refuse(`table ${tree.name} is garbled`)
  walkPage(check, tree, tree.root, 1)
}

const checkPages = (descriptor: number, deep: boolean): void => {
  const first = readMeta(descriptor, 0)
  const second = readMeta(descriptor, first.pageBytes)
  if (!deep) return
  const latest = first.transaction >= second.transaction ? first : second
  const check: Check = {
    descriptor,
    pageBytes: first.pageBytes,
    pages: Math.floor(fstatSync(descriptor).size / first.pageBytes),
    budgetBytes: DEEP_BUDGET_BYTES,
  }
  walk(check, latest.main)
  walk(check, latest.free)
}

/**
 * The damage of the file, or undefined. `deep` checks every table up to its records, and must not run
 * while a writer writes. Without it, only the headers are checked.
 */
export const checkLogFile = (file: string, { deep }: { deep: boolean }): string | undefined => {
  const descriptor = openSync(file, 'r')
  try {
    checkPages(descriptor, deep)
    return undefined
  } catch (error) {
    if (error instanceof Damage) return error.message
    throw error
  } finally {
    closeSync(descriptor)
  }
}
