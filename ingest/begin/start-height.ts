// Chooses the first height of an empty log: the configured one, by default the tip, within what the node has.
import type { Clock } from '../../infra/base/runtime/clock.ts'
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { hasStateAt } from '../chain/module-presence.ts'
import type { Block } from '../comet/blocks/block.ts'
import type { ChainReader, NodeStatus } from '../comet/endpoints/node.ts'
import { findLowestKept } from '../comet/endpoints/window.ts'
import type { Reading } from './reading.ts'

export type StartSetting = 'earliest' | 'tip' | number

type Range = { from: number; to: number }

const resolveStart = (setting: StartSetting, blocks: Range): number => {
  if (setting === 'earliest') return blocks.from
  if (setting === 'tip') return blocks.to
  if (setting > blocks.to) {
    throw new AppError(
      'CONFIG_INVALID',
      `START_HEIGHT: ${setting} is ahead of the chain’s latest height; expected at most ${blocks.to}`,
      { expose: true },
    )
  }
  return Math.max(setting, blocks.from)
}

/** Undefined if no endpoint has the block with its results. */
const findBlock = async (node: ChainReader, height: number): Promise<Block | undefined> => {
  try {
    return await node.block(height)
  } catch (error) {
    if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return undefined
    throw error
  }
}

/** A start needs block and results, and the state before it for the snapshot; the first block of a chain has only its own state. */
const isPossible = async (node: ChainReader, height: number): Promise<boolean> => {
  const hasState = async (at: number) => at > 0 && (await hasStateAt(node, at))
  if (await hasState(height - 1)) return (await findBlock(node, height)) !== undefined
  if (!(await hasState(height))) return false
  return (await findBlock(node, height))?.previousHash === ''
}

/** A node that keeps fewer states prunes the first of them while the start is read. */
const SHORT_WINDOW = 10_000

/** The first height that is possible; in a short window half of it later, unless the node has pruned nothing. */
const firstKept = async (node: ChainReader, { from, to }: Range): Promise<number> => {
  const range = { from: from + 1, to }
  const edge = (await findLowestKept(range, (height) => isPossible(node, height))) ?? to + 1
  const kept = Math.max(0, to - edge)
  const isMoving = edge > 2
  return edge + (isMoving && kept < SHORT_WINDOW ? Math.floor(kept / 2) : 0)
}

type Beginning = {
  node: ChainReader
  reading: Reading
  logger: Logger
  clock: Clock
  signal: AbortSignal
}

const POLL_MS = 1_000

/** The status of a chain that has a block: before its first one, there is nothing to index. */
const awaitFirstBlock = async (beginning: Beginning): Promise<NodeStatus> => {
  const { node, reading, clock, signal } = beginning
  for (;;) {
    const status = await node.status()
    reading.report(status.latestHeight > 0 ? undefined : 'waiting for the first block of the chain')
    if (status.latestHeight > 0) return status
    await clock.sleep(POLL_MS, signal)
  }
}

export const findStartHeight = async (
  beginning: Beginning,
  setting: StartSetting,
): Promise<number> => {
  const { node, logger } = beginning
  const { earliestHeight, latestHeight } = await awaitFirstBlock(beginning)
  const blocks = { from: Math.max(earliestHeight, 1), to: latestHeight }
  const height = resolveStart(setting, blocks)
  const start = (await isPossible(node, height))
    ? height
    : await firstKept(node, { from: height, to: latestHeight })
  if (start !== height || (typeof setting === 'number' && start !== setting)) {
    logger.warn(
      { setting, found: height, start },
      'raised the start height to the first one that the node has',
    )
  }
  logger.info({ start, tip: latestHeight }, 'chose the start height')
  return start
}
