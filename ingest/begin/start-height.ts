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

const hasState = async (node: ChainReader, height: number): Promise<boolean> =>
  height > 0 && (await hasStateAt(node, height))

/** A start needs the state before it for the snapshot; the first block of a chain has only its own state. */
const isPossible = async (node: ChainReader, height: number): Promise<boolean> =>
  (await hasState(node, height - 1)) ||
  ((await hasState(node, height)) && (await node.block(height)).previousHash === '')

/** A node that keeps fewer states prunes the first of them while the start is read. */
const SHORT_WINDOW = 10_000

const hasBlock = async (node: ChainReader, height: number): Promise<boolean> => {
  try {
    await node.block(height)
    return true
  } catch (error) {
    if (hasCode(error, 'HEIGHT_UNAVAILABLE')) return false
    throw error
  }
}

/** The first height with block, results and the state before it; in a short window half of it later. */
const firstKept = async (node: ChainReader, { from, to }: Range): Promise<number> => {
  const isKept = async (height: number) =>
    (await hasState(node, height - 1)) && (await hasBlock(node, height))
  const edge = (await findLowestKept({ from: from + 1, to }, isKept)) ?? to + 1
  const kept = Math.max(0, to - edge)
  return edge + (kept < SHORT_WINDOW ? Math.floor(kept / 2) : 0)
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
