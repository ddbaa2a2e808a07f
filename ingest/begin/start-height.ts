// Chooses the first height of an empty log: the configured one, by default the tip, within the node's state.
import { AppError, hasCode } from '../../infra/base/runtime/errors.ts'
import type { Logger } from '../../infra/base/runtime/logger.ts'
import { hasStateAt } from '../chain/module-presence.ts'
import { findLowestKept } from '../comet/endpoints/lowest-kept.ts'
import type { ChainReader } from '../comet/endpoints/node.ts'

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

/** Block and results. */
const hasBlock = async (node: ChainReader, height: number): Promise<boolean> => {
  try {
    await node.block(height)
    return true
  } catch (error) {
    if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return false
    throw error
  }
}

/** A start needs block and results, and the state before it for the snapshot; the first block of a chain has only its own state. */
const isPossible = async (node: ChainReader, height: number): Promise<boolean> => {
  const hasState = async (at: number) => at > 0 && (await hasStateAt(node, at))
  if (await hasState(height - 1)) return await hasBlock(node, height)
  return (
    (await hasState(height)) &&
    (await hasBlock(node, height)) &&
    (await node.block(height)).previousHash === ''
  )
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

export const findStartHeight = async (
  node: ChainReader,
  setting: StartSetting,
  logger: Logger,
): Promise<number> => {
  const { earliestHeight, latestHeight } = await node.status()
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
