// The recorded chain of the tests: every outcome, hostile names and texts, and votes of every origin.
import { fileURLToPath } from 'node:url'
import { openRecording, type Recording } from '../../../infra/app/demo/recording.ts'
import {
  type ReplayNode,
  type ReplayOptions,
  startReplayNode,
} from '../../../infra/app/demo/replay-node.ts'

export const TEST_RECORDING = fileURLToPath(new URL('../../fixtures/recording', import.meta.url))

export const openTestRecording = (): Recording => openRecording(TEST_RECORDING)

export const startTestNode = (
  options: Omit<ReplayOptions, 'recording'> = {},
): Promise<ReplayNode> => startReplayNode({ recording: openTestRecording(), ...options })
