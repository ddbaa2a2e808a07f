// The recorded chain of the tests: every outcome, hostile names and texts, and votes of every origin.
import { fileURLToPath } from 'node:url'
import {
  type DemoNode,
  type DemoNodeOptions,
  startDemoNode,
} from '../../../infra/app/demo/demo-node.ts'
import { openRecording, type Recording } from '../../../infra/app/demo/recording.ts'

export const TEST_RECORDING = fileURLToPath(new URL('../../fixtures/recording', import.meta.url))

export const openTestRecording = (): Recording => openRecording(TEST_RECORDING)

export const startTestNode = (
  options: Omit<DemoNodeOptions, 'recording'> = {},
): Promise<DemoNode> => startDemoNode({ recording: openTestRecording(), ...options })
